// Hit: where a click on an element would land, and on what.
//
// The point is the middle of the first piece of the element that is inside the viewport (a link
// that wraps over two lines has two pieces). What lies under the point is found tree scope by tree
// scope, from the document inwards, because each one only answers for its own elements.
((page) => {
  'use strict';
  const { dom } = page;

  // The part of the viewport that is seen: all of it, unless the page was made larger by a pinch.
  const visiblePart = () => {
    const { offsetLeft: left, offsetTop: top, width, height } = visualViewport;
    // What a document that is not shown says of itself is nothing.
    if (!width || !height) return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    return { left, top, right: left + width, bottom: top + height };
  };
  const clip = (box) => {
    const seen = visiblePart();
    return {
      left: Math.max(seen.left, box.left),
      top: Math.max(seen.top, box.top),
      right: Math.min(seen.right, box.right),
      bottom: Math.min(seen.bottom, box.bottom),
    };
  };
  const area = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);
  const middle = ({ left, top, right, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

  // `display: contents` has no pieces of its own; its first visible child stands in.
  const piecesOf = (element) => {
    const own = [...Element.prototype.getClientRects.call(element)];
    if (own.length || page.style.displayOf(element) !== 'contents') return own;
    for (let child = dom.firstElement(element); child; child = dom.nextElement(child)) {
      const pieces = [...Element.prototype.getClientRects.call(child)];
      if (pieces.length) return pieces;
    }
    return [];
  };

  // {x, y} in the viewport, or null if no piece of the element is inside it.
  const pointOf = (element, position) => {
    if (position) {
      const { left, top } = dom.rect(element);
      return { x: left + element.clientLeft + position.x, y: top + element.clientTop + position.y };
    }
    const piece = piecesOf(element).map(clip).find((each) => area(each) > 0.99);
    return piece ? middle(piece) : null;
  };
  const isInViewport = ({ x, y }) => {
    const { left, top, right, bottom } = visiblePart();
    return x >= left && y >= top && x < right && y < bottom;
  };

  const scopesOf = (element) => {
    const scopes = [];
    for (let at = element; at;) {
      const root = dom.rootNode(at);
      scopes.unshift(root);
      at = root.host;
    }
    return scopes;
  };

  const elementAt = (element, { x, y }) => {
    let hit = null;
    for (const scope of scopesOf(element)) {
      const inner = (scope.host ? ShadowRoot : Document).prototype.elementFromPoint.call(scope, x, y);
      // Outside the host the shadow tree is not what was hit, whatever it answers.
      if (!inner || (scope.host && hit !== scope.host)) break;
      hit = inner;
    }
    return hit;
  };

  const flatParent = (element) => dom.assignedSlot(element) ?? dom.parentOf(element);
  const chainOf = (element) => {
    const chain = [];
    for (let at = element; at; at = flatParent(at)) chain.push(at);
    return chain;
  };

  // What a click is meant for: the button or link around an icon takes it.
  const CLICKED = 'button, [role=button], a, [role=link]';
  const receiverOf = (element) => (dom.matches(element, 'input, textarea, select') || element.isContentEditable
    ? element : dom.closest(element, CLICKED) ?? element);

  // null if the click reaches the element, else the element that is in the way, described.
  const coverOf = (element, point) => {
    const receiver = receiverOf(element);
    const hit = elementAt(receiver, point);
    if (!hit) return { cover: 'nothing', isOutside: true };
    const chain = chainOf(hit);
    if (chain.includes(receiver)) return null;
    // A label passes the click on to its control.
    if (chain.some((each) => dom.readTag(each) === 'LABEL' && each.control === receiver)) return null;
    const shared = new Set(chainOf(receiver));
    const index = chain.findIndex((each) => shared.has(each));
    const outermost = index > 1 ? chain[index - 1] : null;
    const cover = page.preview(hit) + (outermost ? ` from ${page.preview(outermost)} subtree` : '');
    return { cover, isOutside: false };
  };

  page.hit = { visiblePart, pointOf, isInViewport, coverOf };
})(globalThis.greenroom ??= {});
