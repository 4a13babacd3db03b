// Refs: the short handles (`e12`) by which an agent names elements.
//
// An element keeps its ref for as long as its role and name stay the same, so that a ref read in
// one snapshot still works after the next. When they change it gets a new one: the old ref then
// stands for something that is no longer there, and says so instead of hitting the wrong thing.
//
// What a ref stood for is remembered after its element is gone, because the role and name are what
// a replacement is found by. Elements that left the page are let go at the next snapshot, and the
// oldest memories go first when there are very many.
((page) => {
  'use strict';

  const MEMORY_LIMIT = 50000;
  const byElement = new WeakMap();
  const byRef = new Map();
  let last = 0;

  // Lets go of what the page no longer holds; called as each snapshot begins.
  const tidy = () => {
    for (const [ref, memory] of byRef) {
      if (byRef.size > MEMORY_LIMIT) byRef.delete(ref);
      else if (memory.element && !page.dom.isConnected(memory.element)) memory.element = null;
    }
  };

  // The ref of an element that now has this role and name; `prefix` is the frame's (`f1`).
  const refFor = (element, role, name, prefix) => {
    const known = byElement.get(element);
    if (known && known.role === role && known.name === name && known.prefix === prefix) return known.ref;
    const ref = `${prefix}e${++last}`;
    const memory = { role, name, prefix, ref, element };
    byElement.set(element, memory);
    byRef.set(ref, memory);
    return ref;
  };

  const refOf = (element) => byElement.get(element)?.ref;

  // {role, name, element, isCurrent}: what a ref stood for, and its element if it still exists.
  // It is current while the element is in the page and has not been given another ref since.
  const recall = (ref) => {
    const memory = byRef.get(ref);
    if (!memory) return undefined;
    const { role, name, element } = memory;
    const isThere = !!element && page.dom.isConnected(element);
    return { role, name, element: isThere ? element : null, isCurrent: isThere && refOf(element) === ref };
  };

  page.refs ??= { tidy, refFor, refOf, recall };
})(globalThis.greenroom ??= {});
