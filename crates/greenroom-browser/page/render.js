// Render: the text of a distilled tree, one line per node.
//
//   - button "Save" [disabled] [ref=e12] [cursor=pointer]
//   - link "Docs" [ref=e13]:
//     - /url: /docs
//   - paragraph [ref=e14]: Hello
//
// A pointer cursor is said once, at the topmost node that has it. `depth` prints that many levels
// below the first; `bytes` stops before the text would grow past it. What was left out is counted,
// and a last line says how to get at it, because a silently shortened page misleads.
((page) => {
  'use strict';
  const { yamlKey, yamlValue, shorten } = page.text;

  const NAME_LIMIT = 900;
  const TEXT_LIMIT = 100000;
  const BYTE_LIMIT = 16 * 1024 * 1024;
  // Past this depth the indentation alone would outweigh the page.
  const INDENT_LIMIT = 1000;
  const indents = Array.from({ length: INDENT_LIMIT + 1 }, (_, depth) => '  '.repeat(depth));

  const ASCII = /^[\x00-\x7f]*$/;
  const encoder = new TextEncoder();
  const byteLength = (line) => (ASCII.test(line) ? line.length : encoder.encode(line).length) + 1;

  const boxMark = (element) => {
    const { x, y, width, height } = page.dom.rect(element);
    return ` [box=${[x, y, width, height].map(Math.round).join(',')}]`;
  };

  const keyOf = (node, showsPointer, boxes) => {
    let key = node.role;
    if (node.name && node.name.length <= NAME_LIMIT) key += ' ' + JSON.stringify(node.name);
    key += node.marks;
    if (node.ref) key += ` [ref=${node.ref}]${showsPointer ? ' [cursor=pointer]' : ''}`;
    if (boxes) key += boxMark(node.element);
    // Only a name can make a key awkward: roles, states and refs are plain words.
    return node.name ? yamlKey(key) : key;
  };

  const isText = (child) => typeof child === 'string';
  const valueOf = (text) => yamlValue(shorten(text, TEXT_LIMIT));

  class Sheet {
    constructor({ depth, bytes, boxes }) {
      this.depth = depth || 0;
      this.bytes = Math.min(bytes || BYTE_LIMIT, BYTE_LIMIT);
      this.boxes = boxes;
      this.lines = [];
      this.atMost = 0;
      this.used = null;
      this.printed = 0;
      this.deeper = 0;
      this.isFull = false;
      this.frameAt = new Map();
    }

    // No character takes more than three bytes per unit of length, so the exact count is only
    // needed once that bound comes near the limit.
    fits(whole) {
      this.atMost += whole.length * 3 + 1;
      if (this.atMost <= this.bytes) return true;
      this.used ??= this.lines.reduce((sum, line) => sum + byteLength(line), 0);
      this.used += byteLength(whole);
      return this.used <= this.bytes;
    }

    add(depth, line) {
      const whole = (indents[depth] ?? indents[INDENT_LIMIT]) + line;
      this.isFull ||= !this.fits(whole);
      if (!this.isFull) this.lines.push(whole);
      return !this.isFull;
    }

    // Prints the node's own lines; gives back the children that are still to be printed.
    open(node, depth, isUnderPointer) {
      const showsPointer = node.isPointer && !isUnderPointer;
      const key = '- ' + keyOf(node, showsPointer, this.boxes);
      const { children } = node;
      const text = children.length === 1 && isText(children[0]) ? children[0] : undefined;
      const isLast = this.depth > 0 && depth === this.depth;
      const below = text === undefined && !isLast ? children : [];
      if (text === undefined && isLast) this.deeper += children.length;
      const hasProperties = node.url !== undefined || node.placeholder !== undefined;

      const line = this.lines.length;
      const inline = text !== undefined && !hasProperties;
      const ending = inline ? ': ' + valueOf(text) : hasProperties || below.length ? ':' : '';
      if (!this.add(depth, key + ending)) return [];
      this.printed++;
      if (node.role === 'iframe' && node.ref) this.frameAt.set(node, { ref: node.ref, line, depth });
      if (node.url !== undefined) this.add(depth + 1, '- /url: ' + yamlValue(node.url));
      if (node.placeholder !== undefined) this.add(depth + 1, '- /placeholder: ' + yamlValue(node.placeholder));
      if (text !== undefined && !inline) this.add(depth + 1, '- text: ' + valueOf(text));
      return below;
    }
  }

  const print = (root, into) => {
    const stack = [{ children: root.children, index: 0, depth: 0, isUnderPointer: false }];
    while (stack.length && !into.isFull) {
      const at = stack[stack.length - 1];
      if (at.index >= at.children.length) {
        stack.pop();
        continue;
      }
      const child = at.children[at.index++];
      if (isText(child)) {
        into.add(at.depth, '- text: ' + valueOf(child));
        continue;
      }
      const children = into.open(child, at.depth, at.isUnderPointer);
      const isUnderPointer = at.isUnderPointer || (!!child.ref && child.isPointer);
      if (children.length) stack.push({ children, index: 0, depth: at.depth + 1, isUnderPointer });
    }
  };

  const countNodes = (root) => {
    let count = 0;
    const pending = [root];
    while (pending.length) {
      for (const child of pending.pop().children) {
        if (isText(child)) continue;
        count++;
        pending.push(child);
      }
    }
    return count;
  };

  const leftOutLine = (count, bytes) => `# ${count} more nodes were left out: the snapshot is limited `
    + `to ${bytes} bytes. To see them, call browser_snapshot with target set to the ref of the part `
    + 'you need, or with a smaller depth for an overview.';
  const cutLine = '# The page has more elements than one snapshot reads. Call browser_snapshot with '
    + 'target set to a selector for the part you need.';

  // {text, frames: [{ref, line, depth}], leftOut, deeper}
  const render = (tree, options) => {
    const into = new Sheet(options);
    print(tree.root, into);
    let leftOut = 0;
    if (into.isFull) {
      leftOut = countNodes(tree.root) - into.printed;
      into.lines.push(leftOutLine(leftOut, into.bytes));
    }
    if (tree.isCut) into.lines.push(cutLine);
    const frames = tree.frames.map((node) => into.frameAt.get(node)).filter(Boolean);
    return { text: into.lines.join('\n'), frames, leftOut, deeper: into.deeper };
  };

  page.render = render;
})(globalThis.greenroom ??= {});
