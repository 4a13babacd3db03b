// Snapshot: the whole reading of one frame, in one synchronous pass.
//
// greenroom.snapshot({target, depth, bytes, boxes, prefix}) gives
//   text     the snapshot, or '' for a frame without a body yet
//   frames   [{ref, line, depth}]: the iframes among its lines; the caller takes the child frame's
//            own snapshot (with that frame's prefix and `depth - frame.depth - 1`), adds a colon to
//            the line and the child's lines below it, indented by `2 * (depth + 1)`
//   leftOut  how many nodes the byte limit left out; a last line in the text says so too
//   deeper   how many children the depth limit left out
// `target` is anything that greenroom.resolve takes; without it the reading is of the whole body.
((page) => {
  'use strict';
  const { dom } = page;

  // A drawing or a feed has no body and is still a page; one that is only arriving is not yet.
  const wholePage = () => dom.bodyOf(document)
    ?? (document.readyState === 'loading' ? null : dom.documentElement(document));

  const read = (element, options) => page.pass(() => {
    page.refs.tidy();
    if (options.prefix !== undefined) page.settings.prefix = options.prefix;
    const tree = page.tree.build(element, page.settings.prefix);
    page.distil(tree.root, options.depth || 0);
    return page.render(tree, options);
  });

  const EMPTY = { text: '', frames: [], leftOut: 0, deeper: 0 };

  const snapshot = (options = {}) => {
    const element = options.target ? page.resolve(options.target) : wholePage();
    return element ? read(element, options) : EMPTY;
  };

  page.snapshot = snapshot;
  page.snapshotOf = (element, options = {}) => read(element, options);
})(globalThis.greenroom ??= {});
