// Name parts: what the computation of accessible names is made of.
//
// A way says how a walk came to where it is: at the element itself (`here`), in its content
// (`inside`), or through a reference (`aria-labelledby`, a label, a caption), which may lead to
// hidden text and whose text always counts, whatever the role.
//
// An answer is a text and the elements it came from: an element, or nested arrays of them, which
// are flattened only when someone asks.
((page) => {
  'use strict';
  const { dom, style } = page;
  const { attr } = dom;

  const way = (place, kind, mayBeHidden) => ({
    place,
    byReference: kind === 'reference',
    byLabel: kind === 'label',
    isForced: kind !== 'direct',
    mayBeHidden,
  });
  const HERE = way('here', 'direct', false);
  const HERE_HIDDEN = way('here', 'direct', true);
  const INSIDE = way('inside', 'direct', false);
  const INSIDE_HIDDEN = way('inside', 'direct', true);
  const below = (from) => (from === HERE ? INSIDE : from === HERE_HIDDEN ? INSIDE_HIDDEN : from);
  const through = (kind, target) => way(null, kind, style.isHidden(target));
  const native = (from, target) => ({
    ...below(from), isForced: true, mayBeHidden: from.mayBeHidden || style.isHidden(target),
  });

  const EMPTY = { text: '', from: null };
  const answer = (text, element) => (text ? { text, from: element } : EMPTY);
  const join = (answers) => ({
    text: answers.map(({ text }) => text).join(' '),
    from: answers.map(({ from }) => from),
  });
  const given = (element, name) => answer(attr(element, name), element);
  const firstOf = (element, ...names) => {
    for (const name of names) if (attr(element, name)?.trim()) return given(element, name);
    return EMPTY;
  };

  // The first child element with a tag: a caption, a legend, a title.
  const childOfTag = (element, tag) => {
    for (let child = dom.firstElement(element); child; child = dom.nextElement(child)) {
      if (dom.tagOf(child) === tag) return child;
    }
    return null;
  };

  // Set by the parts that follow: `read` walks on into another element.
  page.naming = {
    HERE, HERE_HIDDEN, INSIDE, EMPTY, below, through, native, answer, join, given, firstOf, childOfTag, read: null,
  };
})(globalThis.greenroom ??= {});
