// Name kinds: what an element's own kind says about its name.
//
// A button has its value, a picture its alternative text, a field its labels, a table its caption.
// Where a kind says nothing the function gives undefined, and the general rules decide. Inside a
// label or other content a control counts with its value instead of its name.
((page) => {
  'use strict';
  const { dom, roles, naming } = page;
  const { attr, has, tagOf } = dom;
  const { EMPTY, below, through, native, answer, join, given, firstOf, childOfTag } = naming;
  const set = (words) => new Set(words.split(' '));
  const read = (element, way, walk) => naming.read(element, way, walk);

  const fromLabels = (labels, walk) => {
    walk.references++;
    return join(labels.map((label) => read(label, through('label', label), walk))
      .filter(({ text }) => text));
  };

  const titledBy = (tag, ...attributes) => (element, way, walk) => {
    const child = childOfTag(element, tag);
    return child ? read(child, native(way, child), walk) : firstOf(element, ...attributes);
  };

  const PLACEHOLDER_TYPES = set('email number password search tel text url');
  const buttonInput = (input) => {
    if (input.value.trim()) return answer(input.value, input);
    if (input.type === 'submit') return answer('Submit', input);
    return input.type === 'reset' ? answer('Reset', input) : given(input, 'title');
  };
  const labelsFor = (element, way) => (way.byReference ? [] : page.labelsOf(element));
  const fileInput = (input, way, walk) => {
    const labels = labelsFor(input, way);
    return labels.length ? fromLabels(labels, walk) : answer('Choose File', input);
  };
  const imageInput = (input, way, walk) => {
    const labels = labelsFor(input, way);
    if (labels.length) return fromLabels(labels, walk);
    const own = firstOf(input, 'alt', 'title');
    return own.text ? own : answer('Submit', input);
  };
  const labelled = (element, way, walk) => {
    const labels = page.labelsOf(element);
    if (labels.length) return fromLabels(labels, walk);
    const tag = tagOf(element);
    const hints = tag === 'TEXTAREA' || (tag === 'INPUT' && PLACEHOLDER_TYPES.has(element.type));
    return hints && !attr(element, 'title') ? given(element, 'placeholder') : given(element, 'title');
  };
  const svgTitle = (element, way, walk) => {
    const title = childOfTag(element, 'TITLE');
    if (!title?.ownerSVGElement) return undefined;
    return read(title, { ...native(way, title), byReference: true }, walk);
  };

  // What the element's own kind says about its name; undefined where the next rule decides.
  // `isReferring`: it has an `aria-labelledby` that came out empty, which silences most kinds.
  const fromKind = (element, tag, way, walk, isReferring) => {
    if (tag === 'INPUT') {
      const { type } = element;
      if (type === 'button' || type === 'submit' || type === 'reset') return buttonInput(element);
      if (type === 'file') return fileInput(element, way, walk);
      if (type === 'image') return imageInput(element, way, walk);
    }
    if (tag === 'IMG' || tag === 'AREA') return firstOf(element, 'alt', 'title');
    if (tag === 'TABLE') {
      const named = titledBy('CAPTION', 'summary')(element, way, walk);
      return named.text || childOfTag(element, 'CAPTION') ? named : undefined;
    }
    if (tag === 'SVG' || element.ownerSVGElement) {
      const named = svgTitle(element, way, walk);
      if (named || tag !== 'A') return named;
      return attr(element, 'xlink:title')?.trim() ? given(element, 'xlink:title') : undefined;
    }
    return isReferring ? undefined : fromControl(element, tag, way, walk);
  };
  const LABELLED = set('INPUT METER PROGRESS SELECT TEXTAREA');
  const fromControl = (element, tag, way, walk) => {
    if (LABELLED.has(tag) || tag === 'OUTPUT') return labelled(element, way, walk);
    if (tag === 'BUTTON') {
      const labels = page.labelsOf(element);
      return labels.length ? fromLabels(labels, walk) : undefined;
    }
    if (tag === 'FIELDSET') return titledBy('LEGEND', 'title')(element, way, walk);
    if (tag === 'FIGURE') return titledBy('FIGCAPTION', 'title')(element, way, walk);
    return undefined;
  };

  const RANGES = set('meter progressbar scrollbar slider spinbutton');
  const withOwned = (element, selector) => {
    const found = [...dom.queryAll(element, selector)];
    for (const owned of dom.idRefs(element, attr(element, 'aria-owns'))) {
      if (dom.matches(owned, selector)) found.push(owned);
      found.push(...dom.queryAll(owned, selector));
    }
    return found;
  };
  const chosenOptions = (element, role, tag) => {
    if (tag === 'SELECT') {
      if (element.multiple && element.selectedOptions.length) return [...element.selectedOptions];
      const shown = element.options[Math.max(0, element.selectedIndex)];
      return shown ? [shown] : [];
    }
    const listbox = role === 'combobox'
      ? withOwned(element, '*').find((inner) => roles.roleOf(inner) === 'listbox') : element;
    return listbox ? withOwned(listbox, '[aria-selected="true"]')
      .filter((inner) => roles.roleOf(inner) === 'option') : [];
  };

  // A control inside a label or other content counts with its value, not with its own name.
  const fromValue = (element, role, tag, way, walk) => {
    if (role === 'textbox' || role === 'searchbox') {
      const isField = tag === 'INPUT' || tag === 'TEXTAREA';
      return answer(isField ? element.value : dom.textContent(element), element);
    }
    if (role === 'combobox' || role === 'listbox') {
      const chosen = chosenOptions(element, role, tag);
      if (!chosen.length && tag === 'INPUT') return answer(element.value, element);
      return join(chosen.map((option) => read(option, below(way), walk)));
    }
    if (RANGES.has(role)) {
      const name = ['aria-valuetext', 'aria-valuenow'].find((each) => has(element, each)) ?? 'value';
      return given(element, name);
    }
    return role === 'menu' ? EMPTY : undefined;
  };

  Object.assign(naming, { fromKind, fromValue });
})(globalThis.greenroom ??= {});
