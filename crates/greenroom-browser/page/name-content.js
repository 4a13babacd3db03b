// Name content: the text of everything in an element, in flattened order.
//
// Text that style sheets generate counts, blocks are set off by spaces, slots stand for what is
// assigned to them, and owned elements come last. Past a length that no name ever has, no more is
// gathered.
((page) => {
  'use strict';
  const { dom, style, pseudo, naming } = page;
  const { attr, has, tagOf } = dom;
  const LENGTH_LIMIT = 10000;

  // Gathers the text of nodes that lie next to each other; each node may be read only so far.
  class Gathering {
    constructor(way, walk, first) {
      this.way = way;
      this.walk = walk;
      this.text = first;
      this.from = null;
    }

    add(node) {
      const type = dom.nodeType(node);
      if (this.text.length > LENGTH_LIMIT || (type !== 1 && type !== 3)) return;
      if (type === 3) {
        this.text += node.data.slice(0, LENGTH_LIMIT);
        return;
      }
      const inner = naming.read(node, this.way, this.walk);
      if (inner.from) (this.from ??= []).push(inner.from);
      const isBlock = tagOf(node) === 'BR' || style.displayOf(node) !== 'inline';
      this.text += isBlock ? ` ${inner.text} ` : inner.text;
    }

    addChildren(parent, isHost) {
      for (let node = dom.firstChild(parent); node; node = dom.nextSibling(node)) {
        if (!isHost || !dom.assignedSlot(node)) this.add(node);
      }
    }
  }

  const gatherContent = (element, gathering) => {
    const assigned = tagOf(element) === 'SLOT' ? element.assignedNodes() : [];
    if (assigned.length) {
      for (const node of assigned) gathering.add(node);
      return;
    }
    const shadow = dom.shadowRoot(element);
    gathering.addChildren(element, !!shadow);
    if (shadow) gathering.addChildren(shadow, false);
    if (!has(element, 'aria-owns')) return;
    gathering.walk.references++;
    for (const owned of dom.idRefs(element, attr(element, 'aria-owns'))) {
      if (!dom.assignedSlot(owned)) gathering.add(owned);
    }
  };

  const fromContent = (element, way, walk) => {
    const gathering = new Gathering(way, walk, pseudo.before(element));
    const replaced = pseudo.replacement(element);
    if (replaced !== undefined) gathering.text += replaced;
    else gatherContent(element, gathering);
    const { from } = gathering;
    from?.push(element);
    return { text: gathering.text + pseudo.after(element), from: from ?? element };
  };

  naming.fromContent = fromContent;
})(globalThis.greenroom ??= {});
