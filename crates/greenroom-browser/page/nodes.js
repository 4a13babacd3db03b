// Nodes: what one element becomes in the tree of a snapshot.
//
// A node: {role, name, marks, ref, isActive, isPointer, isUnderPointer, url, placeholder, element,
// sources, isPending, children}, children being strings and nodes. `sources` are the nodes that the
// name was made of, `isUnderPointer` says that a node above already has the pointer cursor.
//
// Presentational elements have no node, nor have inline elements that only hold a piece of text:
// what is in them belongs to the node above.
((page) => {
  'use strict';
  const { dom, style, roles, names, states, refs } = page;

  const blank = (role, element) => ({
    role,
    element,
    name: '',
    marks: '',
    ref: '',
    isActive: false,
    isPointer: false,
    isUnderPointer: false,
    url: undefined,
    placeholder: undefined,
    sources: null,
    isPending: false,
    children: [],
  });

  const isTextWrapper = (element) => {
    const only = dom.firstChild(element);
    return !!only && dom.nodeType(only) === 3 && !dom.nextSibling(only);
  };

  const VALUELESS = new Set(['checkbox', 'radio', 'file']);
  const valueOf = (element, tag) => {
    if (tag === 'TEXTAREA') return [element.value];
    return tag === 'INPUT' && !VALUELESS.has(element.type) ? [element.value] : [];
  };

  // A ref is for acting on, so only what a pointer can reach has one.
  const giveRef = (node, prefix) => {
    node.ref = refs.refFor(node.element, node.role, node.name, prefix);
    node.isPointer = style.hasPointer(node.element);
  };

  const frameNode = (element, reading) => {
    const node = blank('iframe', element);
    node.isActive = element === reading.active;
    node.marks = node.isActive ? ' [active]' : '';
    if (style.boxOf(element).visible) giveRef(node, reading.prefix);
    return node;
  };

  // The node of a visible element, or null if it has none of its own.
  const nodeFor = (element, tag, reading) => {
    if (tag === 'IFRAME' || tag === 'FRAME') return frameNode(element, reading);
    const role = roles.roleOf(element) ?? 'generic';
    if (roles.isPresentational(role)) return null;
    const box = style.boxOf(element);
    if (role === 'generic' && box.inline && isTextWrapper(element)) return null;
    const node = blank(role, element);
    const name = names.nameOf(element);
    node.name = name.shown;
    node.isActive = element === reading.active;
    if (box.visible && style.takesPointer(element)) giveRef(node, reading.prefix);
    node.marks = states.marksOf(element, role, node.isActive);
    node.children = valueOf(element, tag);
    return node;
  };

  page.nodes = { blank, nodeFor };
})(globalThis.greenroom ??= {});
