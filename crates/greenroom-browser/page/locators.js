// Locators: Playwright's locator expressions, read and written.
//
//   getByRole('button', { name: 'Save', exact: true }).first()
//   locator('ul').getByText(/total/i).nth(2)
//
// An expression is read by a small parser of its own, never evaluated: what an agent sends may
// have come from a page. `print` writes steps as the same kind of expression.
((page) => {
  'use strict';
  const { pattern } = page.matching;

  const TOKEN = /\s+|('(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|`(?:[^`\\]|\\[^])*`)|\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]*)|(-?\d+(?:\.\d+)?)|([A-Za-z_$][\w$]*)|([(){}.,:])/gy;
  const ESCAPED = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const readString = (literal) => literal.slice(1, -1).replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g,
    (_, unicode, hex, char) => (char !== undefined ? ESCAPED[char] ?? char
      : String.fromCharCode(parseInt(unicode ?? hex, 16))),
  );

  const tokenize = (source) => {
    const tokens = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < source.length) {
      const at = TOKEN.lastIndex;
      const match = TOKEN.exec(source);
      if (!match) bad(source, `cannot read it from "${source.slice(at, at + 20)}" on`);
      const [, string, regex, flags, number, word, mark] = match;
      if (string) tokens.push({ value: readString(string), at });
      else if (regex) tokens.push({ value: new RegExp(regex, flags), at });
      else if (number) tokens.push({ value: Number(number), at });
      else if (word === 'true' || word === 'false') tokens.push({ value: word === 'true', at });
      else if (word) tokens.push({ word, at });
      else if (mark) tokens.push({ mark, at });
    }
    return tokens;
  };
  const bad = (source, why) => page.fail('BadTarget', `The locator ${source} is not understood: ${why}. Use a ref from `
    + "the snapshot, a CSS selector, or a locator like getByRole('button', { name: 'Save' }).first().");

  const FILTER_OPTIONS = (options) => [
    options.hasText !== undefined && { kind: 'hasText', pattern: pattern(options.hasText) },
    options.hasNotText !== undefined && { kind: 'hasText', pattern: pattern(options.hasNotText), not: true },
    options.has && { kind: 'has', steps: options.has },
    options.hasNot && { kind: 'has', steps: options.hasNot, not: true },
    options.visible !== undefined && { kind: 'visible', value: options.visible },
  ].filter(Boolean);
  const attribute = (name) => (text, { exact } = {}) => [{ kind: 'attribute', name, pattern: pattern(text, exact) }];
  const roleSteps = (role, { name, description, exact, ...states } = {}) => [{
    kind: 'role',
    role,
    ...(name !== undefined && { name: pattern(name, exact) }),
    ...(description !== undefined && { description: pattern(description, exact) }),
    ...states,
  }];
  const METHODS = {
    getByRole: roleSteps,
    getByText: (text, { exact } = {}) => [{ kind: 'text', pattern: pattern(text, exact) }],
    getByLabel: (text, { exact } = {}) => [{ kind: 'label', pattern: pattern(text, exact) }],
    getByPlaceholder: attribute('placeholder'),
    getByTitle: attribute('title'),
    getByAltText: attribute('alt'),
    getByTestId: (id) => [{ kind: 'attribute', name: page.settings.testIdAttribute, pattern: pattern(id, true) }],
    locator: (inner, options = {}) => [
      ...(Array.isArray(inner) ? inner : page.selectors.parse(inner)), ...FILTER_OPTIONS(options),
    ],
    filter: (options = {}) => FILTER_OPTIONS(options),
    first: () => [{ kind: 'nth', index: 0 }],
    last: () => [{ kind: 'nth', index: -1 }],
    nth: (index) => [{ kind: 'nth', index }],
    visible: () => [{ kind: 'visible', value: true }],
    and: (steps) => [{ kind: 'and', steps }],
    or: (steps) => [{ kind: 'or', steps }],
    frameLocator: (inner) => [...page.selectors.parse(inner), { kind: 'frame' }],
    contentFrame: () => [{ kind: 'frame' }],
  };

  class Reader {
    constructor(source) {
      this.source = source;
      this.tokens = tokenize(source);
      this.index = 0;
    }

    get token() { return this.tokens[this.index] ?? {}; }

    takeMark(mark) {
      if (this.token.mark !== mark) return false;
      this.index++;
      return true;
    }

    needMark(mark) {
      if (!this.takeMark(mark)) bad(this.source, `it lacks a "${mark}"`);
    }

    takeWord() {
      const { word } = this.token;
      if (!word) bad(this.source, 'a method such as getByRole is expected');
      this.index++;
      return word;
    }

    chain() {
      if (this.token.word === 'page' && this.tokens[this.index + 1]?.mark === '.') this.index += 2;
      const steps = this.call();
      while (this.takeMark('.')) steps.push(...this.call());
      return steps;
    }

    call() {
      const name = this.takeWord();
      if (!Object.hasOwn(METHODS, name)) bad(this.source, `there is no method ${name}`);
      this.needMark('(');
      const values = [];
      while (!this.takeMark(')')) {
        values.push(this.value());
        if (this.token.mark !== ')') this.needMark(',');
      }
      return METHODS[name](...values);
    }

    value() {
      if (this.takeMark('{')) return this.options();
      if (this.token.word) return this.chain();
      if (this.token.value === undefined) bad(this.source, 'a text, a number or options are expected');
      return this.tokens[this.index++].value;
    }

    options() {
      const options = {};
      while (!this.takeMark('}')) {
        const name = typeof this.token.value === 'string' ? this.tokens[this.index++].value : this.takeWord();
        this.needMark(':');
        options[name] = this.value();
        if (this.token.mark !== '}') this.needMark(',');
      }
      return options;
    }
  }

  const parse = (source) => {
    const reader = new Reader(source);
    const steps = reader.chain();
    if (reader.index < reader.tokens.length) bad(source, 'it goes on after its end');
    return steps;
  };

  const LOOKS_LIKE = /^\s*(page\s*\.\s*)?(getBy[A-Z]\w*|locator|frameLocator)\s*\(/;

  page.locators = { parse, looksLike: (source) => LOOKS_LIKE.test(source) };
  page.settings ??= { testIdAttribute: 'data-testid', prefix: '' };
})(globalThis.greenroom ??= {});
