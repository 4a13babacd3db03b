// Query: finds the elements that a chain of steps leads to.
//
// A step is a plain object, so that chains can be stored, compared and printed as locators:
//   {kind: 'css', css}                 {kind: 'xpath', xpath}        {kind: 'role', role, ...options}
//   {kind: 'text', pattern}            {kind: 'textNode', pattern}   {kind: 'label', pattern}
//   {kind: 'attribute', name, pattern} {kind: 'nth', index}          {kind: 'visible', value}
//   {kind: 'hasText', pattern, not}    {kind: 'has', steps, not}     {kind: 'and' | 'or', steps}
// Each step takes the elements found so far; those that search look below each of them.
((page) => {
  'use strict';
  const { dom, roles, names, states, style } = page;
  const { matcher, textOf, ownRuns, labelTexts } = page.matching;

  // A selector sees one tree scope at a time. To reach into shadow trees it is asked of each; where
  // an ancestor and its descendant are in different ones, its parts are followed one by one.
  const queryCss = (root, css) => {
    const found = scopesBelow(root).flatMap((scope) => [...dom.queryAll(scope, css)]);
    const parts = found.length ? [] : page.selectors.descendantParts(css);
    return parts.length > 1
      ? run(parts.map((part) => ({ kind: 'css', css: part })), root) : found;
  };
  const scopesBelow = (root) => {
    const scopes = [root];
    for (let i = 0; i < scopes.length; i++) {
      if (dom.nodeType(scopes[i]) === 1 && dom.shadowRoot(scopes[i])) scopes.push(dom.shadowRoot(scopes[i]));
      for (const element of dom.queryAll(scopes[i], '*')) {
        if (dom.shadowRoot(element)) scopes.push(dom.shadowRoot(element));
      }
    }
    return scopes;
  };

  const queryXpath = (root, xpath) => {
    const relative = xpath.startsWith('/') && dom.nodeType(root) !== 9 ? `.${xpath}` : xpath;
    const result = document.evaluate(relative, root, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE);
    const found = [];
    for (let node = result.iterateNext(); node; node = result.iterateNext()) {
      if (dom.nodeType(node) === 1) found.push(node);
    }
    return found;
  };

  const withSelf = (root) => {
    const below = dom.allBelow(root);
    return dom.nodeType(root) === 1 ? [root, ...below] : below;
  };

  // The smallest elements that have the text: those of which no child has it as well.
  const queryText = (root, pattern) => {
    const isMatch = matcher(pattern);
    const memory = new Map();
    const has = (element) => {
      if (!memory.has(element)) memory.set(element, isMatch(textOf(element)));
      return memory.get(element);
    };
    const hasBelow = (parent) => {
      for (let child = dom.firstChild(parent); child; child = dom.nextSibling(child)) {
        if (dom.nodeType(child) === 1 && has(child)) return true;
      }
      return false;
    };
    // A shadow tree counts as one child: its text as a whole, whatever it is made of.
    const hasInShadow = (shadow) => {
      let text = '';
      for (let child = dom.firstChild(shadow); child; child = dom.nextSibling(child)) {
        const type = dom.nodeType(child);
        text += type === 1 ? textOf(child) : type === 3 ? child.data : '';
      }
      return isMatch(text);
    };
    return withSelf(root).filter((element) => {
      // Plain text that the parent lacks cannot be in the child: no need to look.
      const parent = pattern.regex || pattern.exact ? null : dom.parentElement(element);
      if (parent && memory.get(parent) === false) {
        memory.set(element, false);
        return false;
      }
      const shadow = dom.shadowRoot(element);
      return has(element) && !hasBelow(element) && !(shadow && hasInShadow(shadow));
    });
  };

  const queryTextNode = (root, pattern) => {
    const isMatch = matcher({ ...pattern, exact: true });
    return withSelf(root).filter((element) => ownRuns(element).some(isMatch));
  };

  const STATES = {
    checked: states.checkedOf, disabled: states.isDisabled, expanded: states.expandedOf,
    level: states.levelOf, pressed: states.pressedOf, selected: states.selectedOf,
  };
  const queryRole = (root, step) => {
    const isName = step.name && matcher(step.name);
    const isDescription = step.description && matcher(step.description);
    const wanted = Object.keys(STATES).filter((state) => step[state] !== undefined);
    return dom.allBelow(root).filter((element) => {
      if (roles.roleOf(element) !== step.role) return false;
      if (wanted.some((state) => (STATES[state](element) ?? false) !== step[state])) return false;
      if (!step.includeHidden && style.isHidden(element)) return false;
      const name = isName && (step.includeHidden ? names.nameWithHidden(element) : names.nameOf(element));
      return (!isName || isName(name.text))
        && (!isDescription || isDescription(names.descriptionOf(element)));
    });
  };

  const queryAttribute = (root, { name, pattern }) => {
    const { regex, exact, text } = pattern;
    const isMatch = regex ? matcher(pattern)
      : exact ? (value) => value === text
        : (value) => value.toLowerCase().includes(text.toLowerCase());
    return dom.allBelow(root, `[${CSS.escape(name)}]`).filter((element) => isMatch(dom.attr(element, name)));
  };

  const queryLabel = (root, pattern) => {
    const isMatch = matcher(pattern);
    return dom.allBelow(root).filter((element) => labelTexts(element).some(isMatch));
  };

  const SEARCHES = {
    css: (root, step) => queryCss(root, step.css),
    xpath: (root, step) => queryXpath(root, step.xpath),
    role: queryRole,
    text: (root, step) => queryText(root, step.pattern),
    textNode: (root, step) => queryTextNode(root, step.pattern),
    label: (root, step) => queryLabel(root, step.pattern),
    attribute: queryAttribute,
  };

  const inOrder = (elements) => [...new Set(elements)].sort((a, b) =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

  // What a step leaves of the elements found so far.
  const FILTERS = {
    nth: (found, { index }) => found.slice(index, index === -1 ? undefined : index + 1),
    visible: (found, { value }) => found.filter((element) => style.boxOf(element).visible === value),
    hasText: (found, { pattern, not }) => {
      const isMatch = matcher(pattern);
      return found.filter((element) => isMatch(textOf(element)) !== !!not);
    },
    has: (found, { steps, not }) => found.filter((element) => (run(steps, element).length > 0) !== !!not),
    and: (found, { steps }, root) => {
      const others = new Set(run(steps, root));
      return found.filter((element) => others.has(element));
    },
    or: (found, { steps }, root) => inOrder([...found, ...run(steps, root)]),
  };

  const run = (steps, root) => {
    let found = [root];
    for (const step of steps) {
      if (FILTERS[step.kind]) {
        found = FILTERS[step.kind](found, step, root);
        continue;
      }
      const next = new Set();
      for (const from of found) for (const element of SEARCHES[step.kind](from, step)) next.add(element);
      found = [...next];
    }
    return found;
  };

  page.query = (steps, root = document) => page.pass(() => run(steps, root));
})(globalThis.greenroom ??= {});
