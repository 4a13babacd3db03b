// Distil: from the raw tree to the one worth reading.
//
// Pages wrap everything in boxes. Seven rules take out what tells an agent nothing, each applied
// as a node is left, when its children are already final:
// - neighbouring texts become one text, and a text that only repeats the name goes;
// - a picture without a name or content goes;
// - a name goes where everything it was made of is printed below the node anyway;
// - a box around a box around a text becomes one box with the text;
// - a box that only repeats its parent's name goes;
// - a box around a single node that can be acted on is replaced by that node;
// - an empty box goes.
// A box or picture that is itself the clickable thing (pointer cursor, none above) stays.
//
// For the third rule every node that a name was made of is marked as pending when the named node
// is entered, and no longer so when that node turns up itself and will be printed.
((page) => {
  'use strict';
  const { squash } = page.text;

  const KEEP = 0;
  const REMOVE = 1;
  const UNWRAP = 2;

  const isText = (child) => typeof child === 'string';
  const isClickable = (node) => !!node.ref && node.isPointer && !node.isUnderPointer;
  const hasProperties = (node) => node.url !== undefined || node.placeholder !== undefined
    || node.marks.endsWith(' [aria-hidden]');
  const onlyText = (node) =>
    (node.children.length === 1 && isText(node.children[0]) ? node.children[0] : undefined);

  const enter = (node, depth, depthLimit) => {
    if (!node.ref) return;
    if (node.sources) for (const source of node.sources) source.isPending = true;
    const isPrinted = !depthLimit || depth <= depthLimit;
    const isBareText = node.role === 'generic' && node.children.every(isText);
    if (isPrinted && !isBareText) node.isPending = false;
  };

  const mergeTexts = (node) => {
    const merged = [];
    let text = '';
    const flush = () => {
      const whole = text && squash(text);
      if (whole) merged.push(whole);
      text = '';
    };
    for (const child of node.children) {
      if (isText(child)) {
        text += child;
      } else {
        flush();
        merged.push(child);
      }
    }
    flush();
    node.children = merged.length === 1 && merged[0] === node.name ? [] : merged;
  };

  const dropRepeatedName = (node) => {
    if (!node.sources) return;
    if (node.sources.some((source) => source.isPending)) {
      for (const source of node.sources) source.isPending = false;
    } else {
      node.name = '';
    }
  };

  const inlineText = (node) => {
    if (hasProperties(node) || node.children.length !== 1) return;
    const [child] = node.children;
    if (isText(child) || child.role !== 'generic' || child.name || child.isActive) return;
    if (!hasProperties(child) && onlyText(child) !== undefined) node.children = child.children;
  };

  const repeatsParent = (node, parent) => {
    if (!parent.name || node.isActive || hasProperties(node)) return false;
    const text = node.name ? (node.children.length ? undefined : node.name) : onlyText(node);
    return text === parent.name;
  };

  const isNeedlessBox = (node) => {
    if (node.name || node.children.length > 1) return false;
    if (!node.children.length) return !isClickable(node);
    return !isText(node.children[0]) && !!node.children[0].ref;
  };

  const leave = (node, parent) => {
    mergeTexts(node);
    if (node.role === 'img' && !node.name && !node.children.length && !isClickable(node)) return REMOVE;
    if (node.ref) dropRepeatedName(node);
    if (node.role !== 'generic') return KEEP;
    inlineText(node);
    if (repeatsParent(node, parent)) {
      if (node.ref) node.isPending = true;
      return REMOVE;
    }
    return isNeedlessBox(node) ? UNWRAP : KEEP;
  };

  // Rewrites the tree below `root` in place.
  const distil = (root, depthLimit) => {
    const stack = [{ node: root, index: 0, kept: [] }];
    while (stack.length) {
      const at = stack[stack.length - 1];
      const { node } = at;
      if (at.index < node.children.length) {
        const child = node.children[at.index++];
        if (isText(child)) {
          at.kept.push(child);
        } else {
          enter(child, stack.length - 1, depthLimit);
          stack.push({ node: child, index: 0, kept: [] });
        }
        continue;
      }
      stack.pop();
      node.children = at.kept;
      const outer = stack[stack.length - 1];
      if (!outer) break;
      const verdict = leave(node, outer.node);
      if (verdict === KEEP) outer.kept.push(node);
      else if (verdict === UNWRAP) for (const child of node.children) outer.kept.push(child);
    }
    mergeTexts(root);
  };

  page.distil = distil;
})(globalThis.greenroom ??= {});
