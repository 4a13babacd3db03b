// Names: the accessible name of an element, after the "Accessible Name and Description
// Computation" with the choices Chromium makes.
//
// One walk answers for one element: a reference by the author first, then a label by attribute,
// then what the element's kind says, then its content, then its title. References may form
// circles; a visited set ends them, and a depth limit ends everything else that a page can build.
//
// Content inside content is read many times (a link in a cell in a row). Answers for plain content
// are kept with the facts of the pass as long as no reference was followed on the way, since only
// then do they not depend on where the walk started.
((page) => {
  'use strict';
  const { dom, facts, style, roles, naming } = page;
  const { attr, has, tagOf } = dom;
  const { HERE, HERE_HIDDEN, INSIDE, EMPTY, below, through, join, given, firstOf } = naming;
  const set = (words) => new Set(words.split(' '));
  const DEPTH_LIMIT = 400;

  const UNNAMED = set('caption code definition deletion emphasis generic insertion mark paragraph '
    + 'presentation strong subscript suggestion superscript term time');
  const NAMED_BY_CONTENT = set('button cell checkbox columnheader gridcell heading link menuitem '
    + 'menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem');
  const READ_THROUGH = set('caption code contentinfo definition deletion emphasis insertion list '
    + 'listitem mark none paragraph presentation region row rowgroup section strong subscript '
    + 'superscript table term time').add('');

  class Walk {
    constructor() {
      this.visited = new Set();
      this.reused = [];
      this.references = 0;
      this.depth = 0;
      this.isFromContent = false;
    }

    has(element) {
      return this.visited.has(element)
        || (this.references > 0 && this.reused.some((root) => dom.contains(root, element)));
    }
  }

  const fromReferences = (targets, walk) => {
    walk.references++;
    return join(targets.map((target) => read(target, through('reference', target), walk)));
  };

  const fromAuthor = (element, targets, way, walk) => {
    if (way.byReference || !targets.length) return undefined;
    const named = fromReferences(targets, walk);
    if (!named.text) return undefined;
    if (way.place && targets.some((target) => dom.contains(element, target))) walk.isFromContent = true;
    return named;
  };

  const readAnew = (element, way, walk) => {
    const { visited } = walk;
    if (!way.mayBeHidden ? style.isHidden(element) : style.NEVER_READ.has(tagOf(element))) {
      visited.add(element);
      return EMPTY;
    }
    const targets = has(element, 'aria-labelledby')
      ? dom.idRefs(element, attr(element, 'aria-labelledby')) : [];
    const byAuthor = fromAuthor(element, targets, way, walk);
    if (byAuthor) return byAuthor;

    visited.add(element);
    const role = roles.roleOf(element) ?? '';
    const tag = tagOf(element);
    const countsByValue = way.byLabel || way.byReference || way.place === 'inside';
    if (countsByValue && !targets.includes(element)) {
      const value = naming.fromValue(element, role, tag, way, walk);
      if (value) return value;
    }
    if (attr(element, 'aria-label')?.trim()) return given(element, 'aria-label');
    const isPlain = roles.isPresentational(role);
    if (!isPlain) {
      const named = naming.fromKind(element, tag, way, walk, targets.length > 0);
      if (named) return named;
    }
    if (NAMED_BY_CONTENT.has(role) || (way.place === 'inside' && READ_THROUGH.has(role))
      || (tag === 'SUMMARY' && !isPlain) || way.isForced) {
      const content = naming.fromContent(element, below(way), walk);
      const isSaid = content.text.trim();
      if (way.place && isSaid) walk.isFromContent = true;
      if (way.place === 'here' ? isSaid : content.text) return content;
    }
    const hasTitle = !isPlain || tag === 'IFRAME' || tag === 'FRAME';
    return hasTitle ? firstOf(element, 'title') : EMPTY;
  };

  const read = (element, way, walk) => {
    if (walk.has(element) || walk.depth > DEPTH_LIMIT) return EMPTY;
    const mayReuse = way === INSIDE && walk.references === 0;
    if (mayReuse && facts(element).inner) {
      walk.reused.push(element);
      return facts(element).inner;
    }
    walk.depth++;
    const result = readAnew(element, way, walk);
    walk.depth--;
    if (mayReuse && walk.references === 0) facts(element).inner = result;
    return result;
  };

  const NO_NAME = { text: '', shown: '', from: null, isFromContent: false };
  const KINDS = set('AREA BUTTON FIELDSET FIGURE IFRAME FRAME IMG INPUT METER OUTPUT PROGRESS SELECT '
    + 'SUMMARY SVG TABLE TEXTAREA');
  // Most elements are boxes that nothing could name; a whole walk to find that out is a waste.
  const cannotHaveName = (element, role) => UNNAMED.has(role) || (!NAMED_BY_CONTENT.has(role)
    && !KINDS.has(tagOf(element)) && !has(element, 'aria-label') && !has(element, 'title')
    && !has(element, 'aria-labelledby') && !element.ownerSVGElement);

  const findName = (element, includeHidden) => {
    if (cannotHaveName(element, roles.roleOf(element))) return NO_NAME;
    const walk = new Walk();
    const { text, from } = read(element, includeHidden ? HERE_HIDDEN : HERE, walk);
    const flat = page.text.flatten(text);
    return { text: flat, shown: page.text.squash(flat), from, isFromContent: walk.isFromContent };
  };

  // {text, shown, from, isFromContent}: `text` as a locator compares it, `shown` as it is printed.
  const nameOf = (element) => facts(element).name ??= findName(element, false);
  const nameWithHidden = (element) => findName(element, true);

  const descriptionOf = (element) => {
    const targets = dom.idRefs(element, attr(element, 'aria-describedby'));
    const text = has(element, 'aria-describedby')
      ? targets.map((target) => read(target, through('description', target), new Walk()).text).join(' ')
      : attr(element, 'aria-description') ?? attr(element, 'title') ?? '';
    return page.text.flatten(text);
  };

  // Calls `visit` for each element that a name came from.
  const eachSource = (from, visit) => {
    const pending = [from];
    while (pending.length) {
      const next = pending.pop();
      if (Array.isArray(next)) for (const inner of next) pending.push(inner);
      else if (next) visit(next);
    }
  };

  naming.read = read;
  page.names = { nameOf, nameWithHidden, descriptionOf, eachSource };
})(globalThis.greenroom ??= {});
