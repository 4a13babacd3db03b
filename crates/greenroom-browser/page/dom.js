// DOM access that a page cannot bend.
//
// The script runs in an isolated world, so patched prototypes are not seen here. Two things still
// reach across: a form's named controls and a document's named images shadow the built-in
// properties of that very object (`<input name="firstChild">` replaces `form.firstChild`). Every
// structural read therefore goes through the prototype's own getter, which no markup can replace.
//
// "Parent" means the parent element or, at the top of a shadow tree, its host; the walk that
// follows slots lives with the tree builder, because only it needs the flattened order.
((page) => {
  'use strict';

  // Each has a function of its own rather than one from a factory: the compiler learns per
  // function, and these are called many times per element.
  const getterOf = (owner, name) => Object.getOwnPropertyDescriptor(owner.prototype, name).get;
  const parentNodeGetter = getterOf(Node, 'parentNode');
  const parentNode = (node) => parentNodeGetter.call(node);
  const parentElementGetter = getterOf(Node, 'parentElement');
  const parentElement = (node) => parentElementGetter.call(node);
  const firstChildGetter = getterOf(Node, 'firstChild');
  const firstChild = (node) => firstChildGetter.call(node);
  const nextSiblingGetter = getterOf(Node, 'nextSibling');
  const nextSibling = (node) => nextSiblingGetter.call(node);
  const nodeTypeGetter = getterOf(Node, 'nodeType');
  const nodeType = (node) => nodeTypeGetter.call(node);
  const textContentGetter = getterOf(Node, 'textContent');
  const textContent = (node) => textContentGetter.call(node);
  const isConnectedGetter = getterOf(Node, 'isConnected');
  const isConnected = (node) => isConnectedGetter.call(node);
  const ownerDocumentGetter = getterOf(Node, 'ownerDocument');
  const ownerDocument = (node) => ownerDocumentGetter.call(node);
  const shadowRootGetter = getterOf(Element, 'shadowRoot');
  const shadowRoot = (node) => shadowRootGetter.call(node);
  const localNameGetter = getterOf(Element, 'localName');
  const localName = (node) => localNameGetter.call(node);
  const firstElementGetter = getterOf(Element, 'firstElementChild');
  const firstElement = (node) => firstElementGetter.call(node);
  const nextElementGetter = getterOf(Element, 'nextElementSibling');
  const nextElement = (node) => nextElementGetter.call(node);
  const previousElementGetter = getterOf(Element, 'previousElementSibling');
  const previousElement = (node) => previousElementGetter.call(node);
  const attributesGetter = getterOf(Element, 'attributes');
  const attributes = (node) => attributesGetter.call(node);
  const slotOfElementGetter = getterOf(Element, 'assignedSlot');
  const slotOfElement = (node) => slotOfElementGetter.call(node);
  const slotOfTextGetter = getterOf(Text, 'assignedSlot');
  const slotOfText = (node) => slotOfTextGetter.call(node);
  const activeElementGetter = getterOf(Document, 'activeElement');
  const activeElement = (node) => activeElementGetter.call(node);
  const bodyOfGetter = getterOf(Document, 'body');
  const bodyOf = (node) => bodyOfGetter.call(node);
  const documentElementGetter = getterOf(Document, 'documentElement');
  const documentElement = (node) => documentElementGetter.call(node);
  const hasFocusMethod = Document.prototype.hasFocus;
  const hasFocus = (node) => hasFocusMethod.call(node);
  const rootNodeMethod = Node.prototype.getRootNode;
  const rootNode = (node) => rootNodeMethod.call(node);
  const containsMethod = Node.prototype.contains;
  const contains = (node, other) => containsMethod.call(node, other);
  const closestMethod = Element.prototype.closest;
  const closest = (element, selector) => closestMethod.call(element, selector);
  const matchesMethod = Element.prototype.matches;
  const matches = (element, selector) => matchesMethod.call(element, selector);
  const rectMethod = Element.prototype.getBoundingClientRect;
  const rect = (element) => rectMethod.call(element);
  const attrMethod = Element.prototype.getAttribute;
  const attr = (element, name) => attrMethod.call(element, name);
  const hasMethod = Element.prototype.hasAttribute;
  const has = (element, name) => hasMethod.call(element, name);

  const queryAll = (root, selector) => {
    const type = nodeType(root);
    const prototype = type === 1 ? Element.prototype
      : type === 9 ? Document.prototype : DocumentFragment.prototype;
    return prototype.querySelectorAll.call(root, selector);
  };
  const byId = (root, id) => {
    const type = nodeType(root);
    if (type === 9) return Document.prototype.getElementById.call(root, id);
    return type === 11 ? DocumentFragment.prototype.getElementById.call(root, id) : null;
  };

  // Upper case whatever the namespace, so that SVG and XHTML compare with the same tables. The
  // tags whose properties the other parts read (`value`, `options`) are believed of HTML elements
  // only: an SVG element may be called `input` too and has none of them.
  const HTML_ONLY = new Set(('BUTTON DETAILS DIALOG FIELDSET FORM FRAME IFRAME INPUT LABEL METER '
    + 'OPTGROUP OPTION OUTPUT PROGRESS SELECT SLOT TABLE TEXTAREA').split(' '));
  const TAGS = new Map();
  const readTag = (element) => {
    const name = localName(element);
    let tag = TAGS.get(name);
    if (tag === undefined) {
      tag = name.toUpperCase();
      // Custom element names are the page's to invent: the table must not grow with them.
      if (TAGS.size < 1000) TAGS.set(name, tag);
    }
    return HTML_ONLY.has(tag) && !(element instanceof HTMLElement) ? `FOREIGN-${tag}` : tag;
  };

  const assignedSlot = (node) => (nodeType(node) === 1 ? slotOfElement(node)
    : node instanceof Text ? slotOfText(node) : null);

  const parentOf = (element) => {
    const parent = parentNode(element);
    if (!parent) return null;
    const type = nodeType(parent);
    return type === 1 ? parent : type === 11 ? parent.host ?? null : null;
  };

  const closestAcross = (element, selector) => {
    for (let at = element; at; at = rootNode(at).host) {
      const found = closest(at, selector);
      if (found) return found;
    }
    return null;
  };

  const isInside = (scope, element) => {
    for (let at = element; at; at = rootNode(at).host) if (contains(scope, at)) return true;
    return false;
  };

  // The elements an id list names, in the tree scope of the element that names them.
  const idRefs = (element, list) => {
    if (!list) return [];
    const root = rootNode(element);
    const found = new Set();
    for (const id of list.split(/\s+/)) {
      const target = id && byId(root, id);
      if (target) found.add(target);
    }
    return [...found];
  };

  // Every element below a root, shadow trees after the light tree that hosts them.
  const allBelow = (root, selector = '*') => {
    const result = [];
    const roots = [root];
    while (roots.length) {
      const at = roots.pop();
      const hosts = [];
      if (nodeType(at) === 1 && shadowRoot(at)) hosts.push(shadowRoot(at));
      for (const element of queryAll(at, '*')) {
        if (selector === '*' || matches(element, selector)) result.push(element);
        if (shadowRoot(element)) hosts.push(shadowRoot(element));
      }
      for (const host of hosts.reverse()) roots.push(host);
    }
    return result;
  };

  page.dom = {
    parentNode, parentElement, firstChild, nextSibling, nodeType, textContent,
    localName, isConnected, ownerDocument, shadowRoot, firstElement, nextElement, previousElement, attributes,
    activeElement, bodyOf, documentElement, hasFocus, rootNode, contains, closest, matches, rect,
    attr, has, queryAll, byId, readTag, assignedSlot, parentOf, closestAcross, isInside, idRefs,
    allBelow,
  };
})(globalThis.greenroom ??= {});
