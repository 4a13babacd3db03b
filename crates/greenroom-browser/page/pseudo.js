// Pseudo: text that style sheets generate before and after an element, or in place of it.
//
// Asking the browser for the style of a pseudo-element is the most expensive question of a whole
// snapshot, and on most elements the answer is "there is none". A pseudo-element exists only if
// some rule gives it content, so each pass first looks whether any style sheet of the tree scope
// does. What was found is remembered per sheet with the number of its rules; a sheet that cannot
// be read (another origin's) counts as giving content to everything.
((page) => {
  'use strict';
  const { dom, facts, style } = page;

  const NONE = { before: false, after: false, own: false };
  const ALL = { before: true, after: true, own: true };
  const RULE_LIMIT = 20000;
  const BEFORE = /:before\b/;
  const AFTER = /:after\b/;

  const sheetMemory = new WeakMap();
  const scopes = new Map();

  const readRule = (rule, found) => {
    const { selectorText, style: declared } = rule;
    if (!selectorText || !declared?.content) return;
    const before = BEFORE.test(selectorText);
    const after = AFTER.test(selectorText);
    found.before ||= before;
    found.after ||= after;
    // A list of selectors may name pseudo-elements and the element itself.
    found.own ||= !(before || after) || selectorText.includes(',');
  };

  // Walks nested rules (media, layer, nesting) and imports with a list instead of recursion.
  const readSheet = (sheet) => {
    const found = { ...NONE };
    const pending = [sheet];
    let read = 0;
    while (pending.length) {
      for (const rule of pending.pop().cssRules) {
        if (++read > RULE_LIMIT) return ALL;
        readRule(rule, found);
        if (rule.cssRules?.length) pending.push(rule);
        if (rule.styleSheet) pending.push(rule.styleSheet);
      }
    }
    return found;
  };

  const mentions = (sheet) => {
    try {
      const count = sheet.cssRules.length;
      const known = sheetMemory.get(sheet);
      if (known?.count === count) return known.found;
      const found = readSheet(sheet);
      sheetMemory.set(sheet, { count, found });
      return found;
    } catch {
      return ALL;
    }
  };

  const either = (a, b) => ({
    before: a.before || b.before, after: a.after || b.after, own: a.own || b.own,
  });

  const readScope = (root) => {
    const sheets = [...(root.styleSheets ?? []), ...(root.adoptedStyleSheets ?? [])];
    return sheets.map(mentions).reduce(either, NONE);
  };

  // A shadow tree's own sheets and those of the scope around it (`::part`, `::slotted`) both
  // reach its elements, so a scope mentions what any scope on the way to the document mentions.
  const scopeOf = (element) => facts(element).scope ??= findScope(element);
  const findScope = (element) => {
    const root = dom.rootNode(element);
    let found = scopes.get(root);
    if (found === undefined) {
      found = either(readScope(root), root.host ? scopeOf(root.host) : NONE);
      scopes.set(root, found);
    }
    return found;
  };

  const unescape = (text) => text.replace(
    /\\(?:([0-9a-fA-F]{1,6})\s?|([^]))/g,
    (_, hex, char) => (hex ? String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)) : char),
  );
  const PIECE = /\s+|"((?:[^"\\]|\\[^])*)"|attr\(\s*([-\w]+)\s*\)|([(/)])|[^\s"(/)]+/gy;

  // The text of a `content` value: its alternative after a slash, else its strings. A picture,
  // a counter or a quotation mark makes the whole unreadable, and there is then no text at all.
  const readContent = (element, value, needsAlternative) => {
    let parts = [];
    let depth = 0;
    let readable = !needsAlternative;
    PIECE.lastIndex = 0;
    for (let piece; (piece = PIECE.exec(value));) {
      const [whole, string, attribute, mark] = piece;
      if (mark === '(') depth++;
      else if (mark === ')') depth--;
      else if (depth > 0 || !whole.trim()) continue;
      else if (mark === '/') [parts, readable] = [[], true];
      else if (string !== undefined) parts.push(unescape(string));
      else if (attribute !== undefined) parts.push(dom.attr(element, attribute) ?? '');
      else readable = false;
    }
    return readable ? parts.join('') : undefined;
  };

  const isSet = (value) => value && value !== 'none' && value !== 'normal';

  const readPseudo = (element, which) => {
    const computed = getComputedStyle(element, which);
    const { content } = computed;
    if (!isSet(content) || computed.display === 'none' || computed.visibility === 'hidden') return '';
    const text = readContent(element, content, false);
    if (text === undefined) return '';
    return (computed.display || 'inline') === 'inline' ? text : ` ${text} `;
  };

  const before = (element) =>
    facts(element).before ??= scopeOf(element).before ? readPseudo(element, '::before') : '';
  const after = (element) =>
    facts(element).after ??= scopeOf(element).after ? readPseudo(element, '::after') : '';

  // Text that `content` puts in place of the element's own, or undefined where it does not.
  const replacement = (element) => {
    if (!scopeOf(element).own && !dom.has(element, 'style')) return undefined;
    const computed = style.styleOf(element);
    const { content } = computed;
    if (!isSet(content) || computed.display === 'none' || computed.visibility === 'hidden') return undefined;
    return readContent(element, content, true);
  };

  page.afterPass(() => scopes.clear());
  page.pseudo = { before, after, replacement };
})(globalThis.greenroom ??= {});
