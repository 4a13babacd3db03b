// Selectors: from a selector string to steps.
//
// Parts are joined by ` >> `; each part names its engine (`role=button[name="Save"]`, `text=Save`,
// `xpath=//a`) or is recognised by its look: quotes mean text, slashes mean XPath, and anything
// else is CSS. CSS may end in the extra pseudo-classes `:visible`, `:has-text("…")`, `:text("…")`
// and `:text-is("…")`, which become steps of their own.
((page) => {
  'use strict';
  const { pattern } = page.matching;

  // Cuts a string where `isCut` says, but never inside quotes or brackets.
  const split = (source, cutLength) => {
    const parts = [];
    let start = 0;
    let depth = 0;
    let quote = '';
    for (let i = 0; i < source.length; i++) {
      const c = source[i];
      if (c === '\\') i++;
      else if (quote) quote = c === quote ? '' : quote;
      else if (c === '"' || c === "'") quote = c;
      else if (c === '(' || c === '[') depth++;
      else if (c === ')' || c === ']') depth--;
      else if (depth === 0) {
        const length = cutLength(source, i);
        if (!length) continue;
        parts.push(source.slice(start, i));
        start = i + length;
        i = start - 1;
      }
    }
    parts.push(source.slice(start));
    return parts.map((part) => part.trim()).filter(Boolean);
  };
  const atChain = (source, i) => (source.startsWith('>>', i) ? 2 : 0);
  const atSpace = (source, i) => (/\s/.test(source[i]) ? 1 : 0);

  // The compound selectors of a plain descendant selector; none if it has any other combinator.
  const descendantParts = (css) => {
    const parts = split(css, atSpace);
    return parts.some((part) => /^[>+~]|[>+~,]$|,/.test(part.replace(/\[[^\]]*\]|\([^)]*\)/g, ''))) ? [] : parts;
  };

  const unquote = (text) => text.slice(1, -1).replace(/\\(.)/g, '$1');
  const isQuoted = (text) => text.length > 1 && /^(["']).*\1$/s.test(text);
  const asRegex = (text) => {
    const match = /^\/(.*)\/([a-z]*)$/s.exec(text);
    return match ? { regex: [match[1], match[2]] } : null;
  };
  const textStep = (body) => {
    const regex = asRegex(body);
    if (regex) return { kind: 'text', pattern: regex };
    return isQuoted(body) ? { kind: 'textNode', pattern: pattern(unquote(body), true) }
      : { kind: 'text', pattern: pattern(body, false) };
  };

  const EXTRA = /^(.*?):(visible|has-text|text|text-is)(?:\(((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^()"'])*)\))?$/s;
  const extraStep = (name, body) => {
    const text = body && (isQuoted(body.trim()) ? unquote(body.trim()) : body.trim());
    if (name === 'visible') return { kind: 'visible', value: true };
    if (text === undefined) page.fail('BadTarget', `:${name} needs a text: write :${name}("some text").`);
    return { kind: 'hasText', pattern: pattern(text, name === 'text-is') };
  };
  const compoundSteps = (css) => {
    const extras = [];
    let rest = css;
    for (let match; (match = EXTRA.exec(rest)); rest = match[1]) extras.unshift(extraStep(match[2], match[3]));
    return [{ kind: 'css', css: rest || '*' }, ...extras];
  };
  const HAS_EXTRA = /:(visible|has-text|text|text-is)\b/;
  const cssSteps = (css) => {
    if (!HAS_EXTRA.test(css)) return [{ kind: 'css', css }];
    const parts = descendantParts(css);
    if (!parts.length) {
      page.fail('BadTarget', `"${css}" mixes :visible, :has-text or :text with > + ~ or a list. `
        + 'Split it with " >> " or use getByRole or getByText.');
    }
    return parts.flatMap(compoundSteps);
  };

  const NAME_TESTS = {
    '=': (value) => `^${value}$`, '*=': (value) => value, '^=': (value) => `^${value}`, '$=': (value) => `${value}$`,
  };
  const namePattern = (operator, body) => {
    const regex = asRegex(body);
    if (regex) return regex;
    const flagged = /^(.*)\s+([is])$/s.exec(body);
    const raw = (flagged ? flagged[1] : body).trim();
    const text = isQuoted(raw) ? unquote(raw) : raw;
    if (operator === '=' && flagged?.[2] !== 'i') return pattern(text, true);
    return { regex: [NAME_TESTS[operator](page.text.escapeRegex(text)), flagged?.[2] === 'i' ? 'i' : ''] };
  };
  const stateValue = (name, body) => {
    if (name === 'level') return Number(body);
    return body === undefined || body === 'true' ? true : body === 'mixed' ? 'mixed' : false;
  };
  // Strings, regular expressions and bare words start differently, so that nothing can be read in
  // two ways and no text can make the matching slow.
  const VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/(?:[^\/\\]|\\.)*\/|[^\]"'\/])*`;
  const ATTRIBUTE = new RegExp(String.raw`\[\s*([\w-]+)\s*(?:([*^$]?=)(${VALUE}))?\]`, 'gs');
  const ROLE_STATES = new Set(['checked', 'disabled', 'expanded', 'level', 'pressed', 'selected']);
  const roleStep = (body) => {
    const step = { kind: 'role', role: /^[\w-]*/.exec(body.trim())[0].toLowerCase() };
    for (const [, name, operator, value] of body.matchAll(ATTRIBUTE)) {
      if (name === 'name' || name === 'description') step[name] = namePattern(operator ?? '=', (value ?? '').trim());
      else if (name === 'include-hidden') step.includeHidden = stateValue(name, value?.trim());
      else if (ROLE_STATES.has(name)) step[name] = stateValue(name, value?.trim());
      else page.fail('BadTarget', `A role has no "${name}". Use name, ${[...ROLE_STATES].join(', ')}.`);
    }
    return step;
  };

  const attributeStep = (name) => (body) => {
    const value = isQuoted(body) ? unquote(body) : body;
    return { kind: 'attribute', name, pattern: pattern(value, true) };
  };
  // What the upstream writes between an element that holds a frame and what is in that frame.
  const control = (body) => (body === 'enter-frame' ? { kind: 'frame' }
    : page.fail('BadTarget', `There is no "internal:control=${body}". Use a ref from the snapshot.`));
  const ENGINES = {
    css: cssSteps,
    xpath: (body) => [{ kind: 'xpath', xpath: body }],
    text: (body) => [textStep(body)],
    role: (body) => [roleStep(body)],
    nth: (body) => [{ kind: 'nth', index: Number(body) }],
    visible: (body) => [{ kind: 'visible', value: body !== 'false' }],
    'internal:control': (body) => [control(body)],
    id: (body) => [attributeStep('id')(body)],
    'data-testid': (body) => [attributeStep('data-testid')(body)],
    'data-test-id': (body) => [attributeStep('data-test-id')(body)],
    'data-test': (body) => [attributeStep('data-test')(body)],
  };
  const partSteps = (part) => {
    const named = /^([a-zA-Z_][\w:-]*)\s*=(.*)$/s.exec(part);
    if (named && ENGINES[named[1]]) return ENGINES[named[1]](named[2].trim());
    if (named) {
      page.fail('BadTarget', `There is no selector engine "${named[1]}". Use a ref from the snapshot, a CSS `
        + `selector, getByRole('button', { name: '…' }), or one of ${Object.keys(ENGINES).join('=, ')}=.`);
    }
    if (isQuoted(part)) return [textStep(part)];
    return /^\(*(\/\/|\.\.)/.test(part) ? ENGINES.xpath(part) : cssSteps(part);
  };

  page.selectors = {
    descendantParts,
    parse: (source) => split(source, atChain).flatMap(partSteps),
  };
})(globalThis.greenroom ??= {});
