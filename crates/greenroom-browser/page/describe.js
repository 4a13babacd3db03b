// Describe: an element as an agent and a test would name it.
//
// greenroom.describe(element) gives {tag, role, name, ref, locator, steps}. The locator is the
// cheapest candidate that finds exactly this element. If none does, the best one is combined with
// a parent that makes it unique, or with its position; as a last resort a CSS path is built.
((page) => {
  'use strict';
  const { dom, roles, names } = page;
  const { candidatesFor, cost, SCORE, idSelector, tagName } = page.candidates;

  const POSITION_LIMIT = 5;
  const PARENT_LIMIT = 30;
  const INTERACTIVE = 'button,select,input,[role=button],[role=checkbox],[role=radio],a,[role=link]';

  const nth = (index) => ({ kind: 'nth', index });
  const extend = (base, steps, scores) => ({ steps: [...base.steps, ...steps], scores: [...base.scores, ...scores] });
  const cheaper = (a, b) => (!a || cost(b) < cost(a) ? b : a);

  const parentsOf = (element) => {
    const parents = [];
    for (let at = dom.parentOf(element); at && parents.length < PARENT_LIMIT; at = dom.parentOf(at)) parents.push(at);
    return parents;
  };

  // The candidate within each parent that leaves few enough others, at the price of naming both.
  const viaParents = (element, candidate, found, index, best, search) => {
    let result = best;
    for (const parent of parentsOf(element)) {
      const inside = found.filter((each) => each !== parent && dom.isInside(parent, each));
      const at = inside.indexOf(element);
      if (inside.length > POSITION_LIMIT || at < 0 || (at === index && inside.length > 1)) continue;
      const inner = inside.length === 1 ? candidate : extend(candidate, [nth(at)], [SCORE.nth]);
      if (cost({ scores: [1, ...inner.scores] }) >= cost(result)) continue;
      const outer = search.parent(parent, search.isQuiet || candidate.isText);
      result = cheaper(result, extend(outer, inner.steps, inner.scores));
    }
    return result;
  };

  class Search {
    constructor() {
      this.memory = [new Map(), new Map()];
      this.isQuiet = false;
    }

    parent(element, isQuiet) {
      const memory = this.memory[Number(isQuiet)];
      if (!memory.has(element)) {
        memory.set(element, this.best(element, { isTarget: false, isQuiet }) ?? cssPath(element));
      }
      return memory.get(element);
    }

    best(element, options) {
      if (element === dom.documentElement(document)) return { steps: [{ kind: 'css', css: 'html' }], scores: [1] };
      let best = null;
      for (const candidate of candidatesFor(element, options)) {
        const found = page.query(candidate.steps);
        const index = found.indexOf(element);
        if (index < 0) continue;
        if (found.length === 1) return cheaper(best, candidate);
        if (index > POSITION_LIMIT) continue;
        best = cheaper(best, extend(candidate, [nth(index)], [SCORE.nth]));
        if (options.isTarget) best = viaParents(element, candidate, found, index, best, this);
      }
      return best;
    }
  }

  const positionSelector = (element) => {
    const name = dom.localName(element);
    let position = 1;
    let isFirst = true;
    for (let at = dom.previousElement(element); at; at = dom.previousElement(at)) {
      position++;
      if (dom.localName(at) === name) isFirst = false;
    }
    return isFirst ? tagName(element) : `${tagName(element)}:nth-child(${position})`;
  };

  const levelSelectors = (element) => {
    const id = dom.attr(element, 'id');
    const classes = (dom.attr(element, 'class') ?? '').split(/\s+/).filter(Boolean).slice(0, 10)
      .map((name) => CSS.escape(name));
    const byClass = classes.map((_, i) => `.${classes.slice(0, i + 1).join('.')}`);
    return [...(id ? [idSelector(id)] : []), ...byClass, positionSelector(element)];
  };

  const cssPath = (element) => {
    const path = [];
    const asPath = (css) => ({ steps: [{ kind: 'css', css }], scores: [SCORE.fallback] });
    for (const at of [element, ...parentsOf(element)]) {
      const selectors = levelSelectors(at);
      for (const selector of selectors) {
        const css = [selector, ...path].join(' > ');
        const found = page.query([{ kind: 'css', css }]);
        if (found.length === 1 && found[0] === element) return asPath(css);
        if (found[0] === element) return extend(asPath(css), [nth(0)], [SCORE.nth]);
      }
      path.unshift(selectors[selectors.length - 1]);
    }
    const css = path.join(' > ');
    return extend(asPath(css), [nth(page.query([{ kind: 'css', css }]).indexOf(element))], [SCORE.nth]);
  };

  // What a person would say was clicked: the button, not the icon in it.
  const meant = (element) => {
    if (dom.matches(element, 'input,textarea,select') || element.isContentEditable) return element;
    const outer = dom.closestAcross(element, INTERACTIVE);
    return outer && page.style.boxOf(outer).visible ? outer : element;
  };

  const locate = (element) => page.pass(() => {
    const subject = meant(element);
    const search = new Search();
    return (search.best(subject, { isTarget: true, isQuiet: false }) ?? cssPath(subject)).steps;
  });

  const describe = (element) => page.pass(() => {
    const steps = locate(element);
    return {
      tag: dom.readTag(element).toLowerCase(),
      role: roles.roleOf(element) ?? 'generic',
      name: names.nameOf(element).shown,
      ref: page.refs.refOf(element) ?? null,
      locator: page.print(steps),
      steps,
    };
  });

  page.locate = locate;
  page.describe = describe;
})(globalThis.greenroom ??= {});
