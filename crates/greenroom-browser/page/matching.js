// Matching: whether a text is the one a locator asks for.
//
// A pattern is {text, exact} or {regex: [source, flags]}, which survives being sent as JSON. Plain
// text matches anywhere and in any case; exact text has to be the whole, letter for letter. Both
// compare with white space folded. A regular expression sees the text as it is.
((page) => {
  'use strict';
  const { dom, facts } = page;
  const { squash } = page.text;

  const UNREAD = new Set(['SCRIPT', 'NOSCRIPT', 'STYLE', 'HEAD', 'TEMPLATE']);
  const BUTTONS = new Set(['submit', 'button', 'reset']);

  const pattern = (value, exact) => (value instanceof RegExp
    ? { regex: [value.source, value.flags] } : { text: String(value), exact: !!exact });

  // A function from text to yes or no.
  const matcher = ({ text, exact, regex }) => {
    if (regex) {
      const compiled = new RegExp(regex[0], regex[1].replace(/[gy]/g, ''));
      return (value) => compiled.test(value);
    }
    const wanted = exact ? squash(text) : squash(text).toLowerCase();
    return exact ? (value) => squash(value) === wanted
      : (value) => squash(value).toLowerCase().includes(wanted);
  };

  // The text of every element at and below `root`, children before parents, shadow text included.
  // Strings are only joined here, which costs nothing until someone looks at one.
  const readTexts = (root) => {
    const stack = [{ node: root, next: dom.firstChild(root), text: '', shadow: null }];
    const close = (at) => {
      if (dom.nodeType(at.node) === 1) facts(at.node).ownText = at.text;
    };
    while (stack.length) {
      const at = stack[stack.length - 1];
      const child = at.next;
      if (!child) {
        const shadow = at.shadow;
        at.shadow = null;
        if (shadow) {
          at.next = dom.firstChild(shadow);
          continue;
        }
        stack.pop();
        close(at);
        if (stack.length) stack[stack.length - 1].text += at.text;
        continue;
      }
      at.next = dom.nextSibling(child);
      const type = dom.nodeType(child);
      if (type === 3) at.text += child.data;
      if (type !== 1) continue;
      const tag = dom.tagOf(child);
      if (UNREAD.has(tag)) {
        facts(child).ownText = '';
        continue;
      }
      const isButton = tag === 'INPUT' && BUTTONS.has(child.type);
      stack.push({
        node: child,
        next: isButton ? null : dom.firstChild(child),
        text: isButton ? child.value : '',
        shadow: dom.shadowRoot(child),
      });
    }
  };

  const textOf = (element) => {
    if (facts(element).ownText === undefined) {
      const root = dom.rootNode(element);
      readTexts(dom.nodeType(root) === 9 ? root : dom.ownerDocument(element));
      if (facts(element).ownText === undefined) facts(element).ownText = dom.textContent(element);
    }
    return facts(element).ownText;
  };

  // The runs of text directly in an element, parted by its child elements.
  const ownRuns = (element) => {
    if (dom.tagOf(element) === 'INPUT' && BUTTONS.has(element.type)) return [element.value];
    const runs = [''];
    for (let child = dom.firstChild(element); child; child = dom.nextSibling(child)) {
      const type = dom.nodeType(child);
      if (type === 3) runs[runs.length - 1] += child.data;
      else if (type === 1) runs.push('');
    }
    return runs.filter(Boolean);
  };

  // The texts that label an element: what `aria-labelledby` names, `aria-label`, its labels.
  const LABELABLE = new Set(['BUTTON', 'INPUT', 'METER', 'OUTPUT', 'PROGRESS', 'SELECT', 'TEXTAREA']);
  const labelTexts = (element) => {
    const targets = dom.idRefs(element, dom.attr(element, 'aria-labelledby'));
    if (targets.length) return targets.map(textOf);
    const given = dom.attr(element, 'aria-label');
    if (given?.trim()) return [given];
    return LABELABLE.has(dom.tagOf(element)) ? page.labelsOf(element).map(textOf) : [];
  };

  page.matching = { pattern, matcher, textOf, ownRuns, labelTexts };
})(globalThis.greenroom ??= {});
