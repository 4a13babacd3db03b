// Candidates: the ways in which one element could be named in a locator, best first.
//
// The scores put what a person would use before what only a machine sees: a test id, then role
// and name, placeholder, label, alternative text, text, title, and at the end ids, types and tags.
// Long texts cost a little more, and so does an exact match where a plain one would do.
//
// `isText` marks candidates that quote what the element says; when one of them needs a parent to
// be unique, the parent is named without quoting the same content again.
((page) => {
  'use strict';
  const { dom, roles, names } = page;
  const { attr, tagOf } = dom;
  const { pattern, textOf, labelTexts } = page.matching;
  const { squash, cssString, escapeRegex } = page.text;

  const SCORE = {
    testId: 1, otherTestId: 2, frame: 10, role: 100, placeholder: 120, label: 140, alt: 160, text: 180,
    title: 200, textWhole: 250, id: 500, bareRole: 510, css: 520, tag: 530, nth: 10000, fallback: 1e7,
  };
  const EXACT = 5;
  const LENGTH_STEP = 10;

  const lengthPenalty = (length) => Math.min(10, Math.floor(length / LENGTH_STEP));

  // Cuts at the last word that fits.
  const firstWords = (text, limit) => {
    if (text.length <= limit) return text;
    const cut = /^(.*)\b(.+?)$/s.exec(text.slice(0, limit));
    return cut ? cut[1].trimEnd() : '';
  };

  // Shorter texts that still say the same. Numbers at either end are often counters, so a text
  // without them lasts longer and is preferred a little.
  const alternatives = (text) => {
    const leading = /^([\d.,]+)[^.,\w]/.exec(text);
    const trailing = /[^.,\w]([\d.,]+)$/.exec(text);
    const bonus = (rest) => ({ text: rest, bonus: rest.length <= 30 ? 2 : 1 });
    const found = [];
    if (leading) found.push(bonus(firstWords(text.slice(leading[1].length).trimStart(), 80)));
    if (trailing) found.push(bonus(firstWords(text.slice(0, -trailing[1].length).trimEnd(), 80)));
    if (text.length <= 30) found.push({ text, bonus: 0 });
    else found.push({ text: firstWords(text, 80), bonus: 0 }, { text: firstWords(text, 30), bonus: 1 });
    const usable = found.filter((each) => each.text);
    return usable.length ? usable : [{ text: text.slice(0, 80), bonus: 0 }];
  };

  // One exact candidate and the plain ones. `extra` is how long the rest of the selector is, which
  // counts towards its length.
  const textual = (text, base, extra, toStep) => {
    const step = (value, exact, score) =>
      ({ steps: [toStep(pattern(value, exact))], scores: [score + lengthPenalty(value.length + extra)] });
    return [
      step(text, true, base + EXACT),
      ...alternatives(text).map((each) => step(each.text, false, base - each.bonus)),
    ];
  };
  const attributeCandidates = (element, name, base) => {
    const value = attr(element, name);
    const extra = name.length + 6;
    return value ? textual(value, base, extra, (match) => ({ kind: 'attribute', name, pattern: match })) : [];
  };

  const single = (step, score) => ({ steps: [step], scores: [score] });
  const css = (selector, score) => single({ kind: 'css', css: selector }, score);
  const tagName = (element) => dom.localName(element).replace(/[:.]/g, '\\$&');

  // An id that mixes kinds of characters a lot was made by a machine and will change.
  const looksGenerated = (id) => {
    const kinds = [...id.replace(/[-_]/g, '')].map((c) =>
      (/[a-z]/.test(c) ? 'a' : /[A-Z]/.test(c) ? 'A' : /\d/.test(c) ? '0' : '?'));
    let changes = 0;
    for (let i = 1; i < kinds.length; i++) {
      const isCamelCase = kinds[i - 1] === 'A' && kinds[i] === 'a';
      if (kinds[i] !== kinds[i - 1] && !isCamelCase) changes++;
    }
    return changes >= id.length / 4;
  };
  const idSelector = (id) => (/^[a-zA-Z][\w-]+$/.test(id) ? `#${id}` : `[id=${cssString(id)}]`);

  const roleCandidates = (element, options) => {
    const role = roles.roleOf(element);
    if (!role || roles.isPresentational(role)) return [];
    const name = names.nameOf(element);
    const text = options.isQuiet && name.isFromContent ? '' : name.text;
    if (!text || /^\p{Co}+$/u.test(text)) return [];
    const toStep = (match) => ({ kind: 'role', role, name: match });
    const named = textual(text, SCORE.role, role.length + 10, toStep);
    const description = options.isQuiet ? '' : names.descriptionOf(element);
    if (!description) return named;
    return [...named, ...named.map(({ steps: [step], scores: [score] }) => {
      const exact = step.name.exact;
      return single({ ...step, description: pattern(description, exact) }, score + 1);
    })];
  };

  // `role >> has text` and `tag >> has text`, for elements that have no name to go by. Having no
  // text at all can tell an element apart, too.
  const filteredCandidates = (element, text, options) => {
    const role = roles.roleOf(element);
    const isNameless = role && !roles.isPresentational(role) && names.nameOf(element).text === '';
    const bases = text ? [[{ kind: 'css', css: tagName(element) }, SCORE.tag]] : [];
    if (isNameless) bases.push([{ kind: 'role', role }, SCORE.bareRole]);
    return bases.flatMap(([base, score]) => {
      const filtered = (match, price) =>
        ({ steps: [base, { kind: 'hasText', pattern: match }], scores: [score, price] });
      const found = (text ? alternatives(text) : []).map((each) =>
        filtered(pattern(each.text), SCORE.text - each.bonus + lengthPenalty(each.text.length + 3)));
      if (options.isTarget && text.length <= 80) {
        const whole = { regex: [`^${escapeRegex(text)}$`, ''] };
        found.push(filtered(whole, SCORE.textWhole + lengthPenalty(text.length + 4)));
      }
      return found;
    });
  };

  const ILLUSTRATED = new Set(['AREA', 'IMG', 'INPUT']);
  const sayings = (element, options) => {
    if (tagOf(element) === 'SELECT') return [];
    const found = roleCandidates(element, options);
    if (options.isQuiet) return found;
    found.push(...attributeCandidates(element, 'title', SCORE.title));
    if (ILLUSTRATED.has(tagOf(element))) found.push(...attributeCandidates(element, 'alt', SCORE.alt));
    const text = squash(textOf(element));
    if (text && options.isTarget) {
      const spoken = textual(text, SCORE.text, 3, (match) => ({ kind: 'text', pattern: match }));
      found.push(...(text.length <= 80 ? spoken : spoken.slice(1)));
    }
    return [...found, ...filteredCandidates(element, text, options)];
  };

  const NAMED = new Set(
    ['BUTTON', 'FORM', 'FIELDSET', 'INPUT', 'OBJECT', 'OUTPUT', 'SELECT', 'TEXTAREA', 'MAP', 'META'],
  );
  const cssCandidates = (element, tag) => {
    const found = [css(tagName(element), SCORE.tag)];
    const id = attr(element, 'id');
    if (id && !looksGenerated(id)) found.push(css(idSelector(id), SCORE.id));
    const by = (name) => `${tagName(element)}[${name}=${cssString(attr(element, name))}]`;
    if (attr(element, 'name') && NAMED.has(tag)) found.push(css(by('name'), SCORE.css));
    if (attr(element, 'type') === 'hidden' || !['INPUT', 'TEXTAREA', 'SELECT'].includes(tag)) return found;
    if (attr(element, 'type') && tag !== 'SELECT') found.push(css(by('type'), SCORE.css));
    found.push(css(tagName(element), SCORE.css + 1));
    return found;
  };

  const frameCandidates = (element) => ['name', 'title'].filter((name) => attr(element, name))
    .map((name) => css(`${tagName(element)}[${name}=${cssString(attr(element, name))}]`, SCORE.frame));

  const markings = (element, options) => {
    const tag = tagOf(element);
    const { testIdAttribute } = page.settings;
    const found = cssCandidates(element, tag);
    for (const name of ['data-testid', 'data-test-id', 'data-test']) {
      if (name !== testIdAttribute && attr(element, name)) {
        found.push(css(`[${name}=${cssString(attr(element, name))}]`, SCORE.otherTestId));
      }
    }
    const testId = attr(element, testIdAttribute);
    if (testId) {
      const step = { kind: 'attribute', name: testIdAttribute, pattern: pattern(testId, true) };
      found.push(single(step, SCORE.testId));
    }
    if (tag === 'IFRAME' || tag === 'FRAME') return [...found, ...frameCandidates(element)];
    if (tag === 'INPUT' || tag === 'TEXTAREA') {
      found.push(...attributeCandidates(element, 'placeholder', SCORE.placeholder));
    }
    const targets = dom.idRefs(element, attr(element, 'aria-labelledby'));
    const isQuotingItself = options.isQuiet && targets.some((target) => dom.contains(element, target));
    for (const label of isQuotingItself ? [] : labelTexts(element)) {
      found.push(...textual(squash(label), SCORE.label, 3, (match) => ({ kind: 'label', pattern: match })));
    }
    const role = roles.roleOf(element);
    if (role && !roles.isPresentational(role)) found.push(single({ kind: 'role', role }, SCORE.bareRole));
    return found;
  };

  // The price of a chain: what comes first is repeated in every later choice and weighs more.
  const cost = ({ scores }) => scores.reduce((sum, score, i) => sum + score * (scores.length - i), 0);

  // `options`: isTarget (not a parent on the way), isQuiet (do not quote content).
  const candidatesFor = (element, options) => [
    ...sayings(element, options).map((each) => ({ ...each, isText: true })),
    ...markings(element, options).map((each) => ({ ...each, isText: false })),
  ].sort((a, b) => cost(a) - cost(b));

  page.candidates = { candidatesFor, cost, SCORE, idSelector, tagName };
})(globalThis.greenroom ??= {});
