// Text: the whitespace, quoting and shortening rules that every other part shares.
//
// The snapshot dialect has two whitespace rules that must not be mixed up. `squash` is for what
// is shown and compared: it drops soft hyphens and zero-width spaces, trims, and folds any run of
// white space (no-break spaces too) into one space. `flatten` is for accessible names while they
// are still being put together: it keeps no-break spaces, because authors use them on purpose.
//
// `yamlKey` and `yamlValue` quote only where a YAML reader would otherwise misread the text, so
// that most lines stay as plain as the page they describe.
((page) => {
  'use strict';

  const INVISIBLE = /[\u200b\u00ad]/g;
  const PLAIN = /^[A-Za-z][A-Za-z0-9_,.()-]*(?: [A-Za-z0-9_,.()-]+)*$/;

  // Most page text is already in its final form; the test is far cheaper than three rewrites.
  const isPlain = (text) => text.length < 200 && PLAIN.test(text);
  const squash = (text) => (isPlain(text) ? text
    : text.replace(INVISIBLE, '').trim().replace(/\s+/g, ' '));

  const flatten = (text) => (isPlain(text) ? text
    : text.split('\u00a0').map((part) => part.replace(INVISIBLE, '').replace(/\s+/g, ' '))
      .join('\u00a0').trim());

  const shorten = (text, limit) => {
    if (text.length <= limit) return text;
    // Cutting by code points keeps a surrogate pair from being torn apart.
    return [...text.slice(0, limit * 2)].slice(0, limit - 1).join('') + '…';
  };

  const YAML_WORDS = new Set(['y', 'n', 'yes', 'no', 'true', 'false', 'on', 'off', 'null']);
  const YAML_AWKWARD = new RegExp([
    '^$', '^\\s', '\\s$', '^-', ':(?:\\s|$)', '\\s#', '[\\n\\r{}`]', '^[&*\\],?!>|@"\'#%\\[]',
    '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]',
  ].join('|'));

  // Most texts start with a letter and have none of the characters that matter: one look decides.
  const SUSPECT = /[:#\n\r{}`\x00-\x1f\x7f-\x9f]|^[^A-Za-z]|^$|\s$/;
  const needsQuotes = (text) => (SUSPECT.test(text)
    ? YAML_AWKWARD.test(text) || !Number.isNaN(Number(text))
    : text === 'Infinity') || YAML_WORDS.has(text.toLowerCase());

  const yamlKey = (text) => (needsQuotes(text) ? `'${text.replaceAll("'", "''")}'` : text);

  const ESCAPES = { '\\': '\\\\', '"': '\\"', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const escapeChar = (c) => ESCAPES[c] ?? '\\x' + c.charCodeAt(0).toString(16).padStart(2, '0');
  const yamlValue = (text) =>
    needsQuotes(text) ? `"${text.replace(/[\\"\x00-\x1f\x7f-\x9f]/g, escapeChar)}"` : text;

  // A JavaScript string literal in single quotes, as generated locator lines have it.
  const quote = (text) =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

  const cssString = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const escapeRegex = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

  // A `data:` URL can be megabytes and says nothing that an agent could use past its type.
  const shortUrl = (url) => {
    const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
    return comma < 0 ? url : url.slice(0, comma + 1) + '…';
  };

  page.text = {
    squash, flatten, shorten, yamlKey, yamlValue, quote, cssString, escapeRegex, shortUrl,
  };
})(globalThis.greenroom ??= {});
