// Style: what is drawn, where, and what is hidden from whom.
//
// Three questions are kept apart because the answers differ on real pages. `isShown`: does the
// element's own style draw it (it has a box and is not `visibility: hidden`)? `isHidden`: is it
// kept from assistive technology (not drawn, `aria-hidden` anywhere above, or a child of a shadow
// host that no slot takes)? `boxOf`: does it have an area that a pointer could hit?
//
// All chains to the root are loops, not recursion: a page may nest deeper than any stack.
((page) => {
  'use strict';
  const { dom, facts } = page;
  const checkVisibility = Element.prototype.checkVisibility;
  const WITH_VISIBILITY = { visibilityProperty: true };
  const NEVER_READ = new Set(['STYLE', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE']);

  const styleOf = (element) => facts(element).styleRead ??= getComputedStyle(element);
  const displayOf = (element) => facts(element).display ??= styleOf(element).display || 'inline';

  const hasArea = (element) => {
    const known = facts(element);
    if (known.area === undefined) {
      const { width, height } = dom.rect(element);
      known.area = width > 0 && height > 0;
    }
    return known.area;
  };

  // Whether an element may keep its children from being drawn while it is drawn itself.
  const mayLock = (element) => facts(element).locks
    ??= dom.tagOf(element) === 'DETAILS' || styleOf(element).contentVisibility === 'hidden';

  // The browser's own check walks up the tree each time. What has an area has a box, and its box is
  // drawn if its parent's is, so for most elements the walk can be spared.
  const isPlainlyShown = (element) => {
    const parent = dom.parentElement(element);
    return !!parent && facts(parent).shown === true && !dom.shadowRoot(parent) && !mayLock(parent)
      && hasArea(element) && styleOf(element).visibility === 'visible';
  };
  const isShown = (element) =>
    facts(element).shown ??= isPlainlyShown(element) || checkVisibility.call(element, WITH_VISIBILITY);

  const textIsDrawn = (text) => {
    const range = dom.ownerDocument(text).createRange();
    range.selectNode(text);
    const { width, height } = range.getBoundingClientRect();
    return width > 0 && height > 0;
  };

  const isCutOffHere = (element) => {
    const parent = dom.parentElement(element);
    if (parent && dom.shadowRoot(parent) && !dom.assignedSlot(element)) return true;
    return displayOf(element) === 'none' || dom.attr(element, 'aria-hidden')?.toLowerCase() === 'true';
  };

  // Cut off: this element or one above it is `display: none`, `aria-hidden` or not slotted.
  const isCutOff = (element) => {
    const asked = [];
    let answer = false;
    for (let at = element; at; at = dom.parentOf(at)) {
      const known = facts(at);
      if (known.cutOff !== undefined) {
        answer = known.cutOff;
        break;
      }
      asked.push(known);
      if (isCutOffHere(at)) {
        answer = true;
        break;
      }
    }
    for (const known of asked) known.cutOff = answer;
    return answer;
  };

  // `display: contents` has no box of its own: it is as hidden, or as visible, as what it holds.
  // The search follows nested ones with a list of places still to look at, and takes content that
  // is nested absurdly deep for present rather than searching it again from every level above.
  const NESTING_LIMIT = 100;
  const holdsAny = (element, drawsText, isPresent) => {
    const pending = [[dom.firstChild(element), 1]];
    while (pending.length) {
      const [first, level] = pending.pop();
      if (level > NESTING_LIMIT) return true;
      for (let child = first; child; child = dom.nextSibling(child)) {
        const type = dom.nodeType(child);
        if (type === 3 && drawsText(child)) return true;
        if (type !== 1 || NEVER_READ.has(dom.tagOf(child))) continue;
        const isNested = displayOf(child) === 'contents' && dom.tagOf(child) !== 'SLOT';
        if (isNested) pending.push([dom.firstChild(child), level + 1]);
        else if (isPresent(child)) return true;
      }
    }
    return false;
  };

  // Undrawn: inside `display: none`. The style of such an element costs a walk to the top, so only
  // the outermost ones that are not shown are asked for theirs.
  const isUndrawn = (element) => {
    const asked = [];
    let at = element;
    while (at && facts(at).undrawn === undefined && !isShown(at)) {
      asked.push(at);
      at = dom.parentOf(at);
    }
    let answer = at ? facts(at).undrawn ?? false : false;
    for (const each of asked.reverse()) {
      answer ||= displayOf(each) === 'none';
      facts(each).undrawn = answer;
    }
    return answer;
  };

  // The options of a closed drop-down have no box and are still there to be chosen.
  const isChoice = (element, tag) => tag === 'OPTION' && !!dom.closest(element, 'select');

  const findHidden = (element) => {
    const tag = dom.tagOf(element);
    if (NEVER_READ.has(tag)) return true;
    if (isUndrawn(element)) return true;
    const isSlot = tag === 'SLOT';
    if (!isSlot && displayOf(element) === 'contents') {
      return !holdsAny(element, textIsDrawn, (child) => !isHidden(child));
    }
    if (!isSlot && !isChoice(element, tag) && !isShown(element)) return true;
    return isCutOff(element);
  };
  const isHidden = (element) => facts(element).hidden ??= findHidden(element);

  const NOTHING = { visible: false, inline: false };
  const boxOfContents = (element) => {
    if (!holdsAny(element, textIsDrawn, (child) => boxOf(child).visible)) return NOTHING;
    const first = dom.firstChild(element);
    return { visible: true, inline: dom.nodeType(first) === 3 && textIsDrawn(first) };
  };
  const findBox = (element) => {
    const display = displayOf(element);
    if (display === 'contents') return boxOfContents(element);
    if (!isShown(element)) return NOTHING;
    return { visible: hasArea(element), inline: display === 'inline' };
  };
  const boxOf = (element) => facts(element).box ??= findBox(element);

  const hasPointer = (element) => styleOf(element).cursor === 'pointer';
  const takesPointer = (element) => styleOf(element).pointerEvents !== 'none';

  page.style = {
    NEVER_READ, styleOf, displayOf, isShown, isUndrawn, isHidden, isChoice, boxOf, hasPointer, takesPointer,
  };
})(globalThis.greenroom ??= {});
