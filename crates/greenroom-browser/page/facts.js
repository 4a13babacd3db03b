// Facts: what one pass over the page has already worked out about each element.
//
// Style, role, name and visibility are each asked for many times while a page is read, and each
// answer costs a call into the browser. Within one synchronous pass nothing can change, so every
// answer is kept in one record per element: one table look-up instead of one per question. The
// table is dropped when the outermost pass ends; nothing is ever carried over to a later moment,
// where it might no longer be true.
((page) => {
  'use strict';

  class Facts {
    constructor(element) {
      this.tag = page.dom.readTag(element);
      this.isVisited = false;
      this.node = null;
      this.styleRead = undefined;
      this.display = undefined;
      this.area = undefined;
      this.locks = undefined;
      this.shown = undefined;
      this.undrawn = undefined;
      this.cutOff = undefined;
      this.hidden = undefined;
      this.box = undefined;
      this.scope = undefined;
      this.before = undefined;
      this.after = undefined;
      this.role = undefined;
      this.name = undefined;
      this.inner = undefined;
      this.ariaDisabled = undefined;
      this.ownText = undefined;
    }
  }

  let table = null;
  const endings = [];

  const facts = (element) => {
    let known = table.get(element);
    if (known === undefined) {
      known = new Facts(element);
      table.set(element, known);
    }
    return known;
  };

  // Runs `read` with a table of facts. Passes nest: an inner one shares the outer one's table.
  const pass = (read) => {
    if (table) return read();
    table = new Map();
    try {
      return read();
    } finally {
      table = null;
      for (const end of endings) end();
    }
  };

  page.facts = facts;
  page.dom.tagOf = (element) => facts(element).tag;
  page.pass = pass;
  // For parts that keep something of their own for the length of a pass.
  page.afterPass = (end) => endings.push(end);
})(globalThis.greenroom ??= {});
