// Errors: what goes wrong in the page, told so that an agent knows what to do next.
//
// An error's name is its kind (`NotFound`, `NotUnique`, `Stale`, `BadTarget`, `WrongElement`,
// `BadValue`); the caller reads it from the first word of the exception's description. The stack
// is cut off: it would name lines of this script, which mean nothing to anyone outside.
((page) => {
  'use strict';

  const fail = (kind, message) => {
    const error = new Error(message);
    error.name = kind;
    error.stack = `${kind}: ${message}`;
    throw error;
  };

  const { shorten } = page.text;
  const VOID = new Set(('area base br col embed hr img input link meta source track wbr').split(' '));
  const oneLine = (text) => text.replaceAll('\n', '↵').replaceAll('\t', '⇆');

  const attributeText = ({ name, value }) => (value ? ` ${name}="${value}"` : ` ${name}`);

  // An element the way a reader of HTML knows it: `<div class="overlay">…</div>`.
  const preview = (element) => {
    const tag = page.dom.localName(element);
    const attributes = [...page.dom.attributes(element)].filter(({ name }) => name !== 'style')
      .slice(0, 20).map(attributeText).sort((a, b) => a.length - b.length).join('');
    const open = `<${tag}${shorten(attributes, 500)}`;
    if (VOID.has(tag)) return oneLine(`${open}/>`);
    const first = page.dom.firstChild(element);
    const isText = !first || (page.dom.nodeType(first) === 3 && !page.dom.nextSibling(first));
    const content = isText ? shorten(page.dom.textContent(element), 50) : '…';
    return oneLine(`${open}>${content}</${tag}>`);
  };

  page.fail = fail;
  page.preview = preview;
})(globalThis.greenroom ??= {});
