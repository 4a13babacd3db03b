// Tree: from the page's elements to the raw tree of a snapshot.
//
// The order of the nodes is the flattened one: slots stand for what is assigned to them, and
// `aria-owns` moves an element to its owner. Block boxes add a space around their text, so that
// words in neighbouring boxes do not run together.
//
// The walk keeps its own stack: the depth of a page is not ours to choose. It also stops after
// very many elements and says so.
((page) => {
  'use strict';
  const { dom, facts, style, pseudo, names } = page;
  const { attr, has, tagOf } = dom;
  const { blank, nodeFor } = page.nodes;

  const ELEMENT_LIMIT = 200000;

  // More of one text than is ever printed need not even be looked at.
  const TEXT_LIMIT = 200000;
  const textFrom = ({ data }) => (data.length > TEXT_LIMIT ? data.slice(0, TEXT_LIMIT) : data);

  // Where the walk stands within one element: the nodes still to come, in flattened order. Each
  // source of nodes is a linked run of siblings or a list (assigned to a slot, owned).
  class Place {
    constructor(element, own, into, isVisible) {
      this.element = element;
      this.own = own;
      this.into = into;
      this.isVisible = isVisible;
      this.isDrawn = false;
      this.space = '';
      this.sibling = null;
      this.skipsSlotted = false;
      this.shadow = null;
      this.list = [];
      this.listed = 0;
    }

    take() {
      while (this.sibling) {
        const node = this.sibling;
        this.sibling = dom.nextSibling(node);
        if (!this.skipsSlotted || !dom.assignedSlot(node)) return node;
      }
      if (this.shadow) {
        this.sibling = dom.firstChild(this.shadow);
        this.shadow = null;
        this.skipsSlotted = false;
        return this.take();
      }
      return this.list[this.listed++] ?? null;
    }
  }

  const ownedBy = (element) => (attr(element, 'aria-owns') ?? '').split(/\s+/)
    .map((id) => id && dom.byId(dom.ownerDocument(element), id)).filter(Boolean);

  const open = (place, tag) => {
    const { element, into } = place;
    if (tag === 'BR' || style.displayOf(element) !== 'inline') place.space = ' ';
    // Style sheets generate text for what is not drawn, too; nobody can read it.
    place.isDrawn = place.isVisible || !style.isUndrawn(element);
    if (place.space) into.children.push(' ');
    const before = place.isDrawn ? pseudo.before(element) : '';
    if (before) into.children.push(before);
    const assigned = tag === 'SLOT' ? element.assignedNodes() : [];
    if (assigned.length) {
      place.list = assigned;
    } else if (tag !== 'IFRAME' && tag !== 'FRAME') {
      place.sibling = dom.firstChild(element);
      place.shadow = dom.shadowRoot(element);
      place.skipsSlotted = !!place.shadow;
    }
    if (has(element, 'aria-owns')) place.list = place.list.concat(ownedBy(element));
  };

  const close = (place) => {
    const { element, own, into } = place;
    const after = place.isDrawn ? pseudo.after(element) : '';
    if (after) into.children.push(after);
    if (place.space) into.children.push(' ');
    if (into.role === 'link' && has(element, 'href')) into.url = page.text.shortUrl(attr(element, 'href'));
    const hint = into.role === 'textbox' ? attr(element, 'placeholder') : null;
    if (hint !== null && hint !== into.name) into.placeholder = hint;
    if (!own?.ref || own.role === 'iframe') return;
    names.eachSource(names.nameOf(element).from, (source) => {
      const { node } = facts(source);
      if (node && node !== own) (own.sources ??= []).push(node);
    });
  };

  // A hidden element may still own a visible one, which then appears in its place.
  const ownsAny = (element) => has(element, 'aria-owns') || dom.queryAll(element, '[aria-owns]').length > 0;

  const visit = (element, outer, reading) => {
    const tag = tagOf(element);
    // What is not drawn at all still parts the words around it.
    if (style.displayOf(element) === 'none' && !(reading.hasOwners && ownsAny(element))) {
      outer.into.children.push(' ');
      return null;
    }
    const isVisible = !style.isHidden(element) || style.boxOf(element).visible;
    const own = isVisible ? nodeFor(element, tag, reading) : null;
    if (own) {
      if (attr(element, 'aria-hidden')?.toLowerCase() === 'true') own.marks += ' [aria-hidden]';
      if (own.ref) facts(element).node = own;
      if (own.ref && own.role === 'iframe') reading.frames.push(own);
      const { into } = outer;
      own.isUnderPointer = into.isUnderPointer || (!!into.ref && into.isPointer);
      into.children.push(own);
    }
    const place = new Place(element, own, own ?? outer.into, isVisible);
    open(place, tag);
    return place;
  };

  // {root, frames, isCut}: `root` is a fragment around the nodes; `frames` the iframes with a ref.
  const build = (rootElement, prefix) => {
    const document = dom.ownerDocument(rootElement);
    const reading = {
      prefix,
      active: dom.hasFocus(document) ? dom.activeElement(document) : null,
      hasOwners: dom.queryAll(document, '[aria-owns]').length > 0,
      frames: [],
    };
    const root = blank('fragment', rootElement);
    let visited = 0;
    const top = new Place(rootElement, null, root, true);
    top.list = [rootElement];
    const places = [top];
    while (places.length) {
      const place = places[places.length - 1];
      const child = visited < ELEMENT_LIMIT ? place.take() : null;
      if (!child) {
        places.pop();
        if (place !== top) close(place);
        continue;
      }
      const type = dom.nodeType(child);
      if (type === 3) {
        if (place.isVisible && place.into.role !== 'textbox') place.into.children.push(textFrom(child));
      } else if (type === 1 && !facts(child).isVisited) {
        facts(child).isVisited = true;
        visited++;
        const inner = visit(child, place, reading);
        if (inner) places.push(inner);
      }
    }
    return { root, frames: reading.frames, isCut: visited >= ELEMENT_LIMIT };
  };

  page.tree = { build };
})(globalThis.greenroom ??= {});
