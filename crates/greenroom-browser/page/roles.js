// Roles: which ARIA role an element has, from its `role` attribute or from what it is.
//
// The tables follow HTML-AAM and ARIA in HTML with the choices Chromium makes. A `role` attribute
// is a list and the first role that exists wins. `none` and `presentation` do not win on an
// element that can take focus or carries a global ARIA attribute, and they pass down to the parts
// that only make sense inside their parent (rows of a table, items of a list).
//
// `roleOf` gives null for an element without a role; the tree calls that "generic".
((page) => {
  'use strict';
  const { dom, facts } = page;
  const { attr, has, tagOf } = dom;
  const set = (words) => new Set(words.split(' '));

  const KNOWN = set(
    'alert alertdialog application article banner blockquote button caption cell checkbox code '
    + 'columnheader combobox complementary contentinfo definition deletion dialog directory document '
    + 'emphasis feed figure form generic grid gridcell group heading img insertion link list listbox '
    + 'listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter '
    + 'navigation none note option paragraph presentation progressbar radio radiogroup region row '
    + 'rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript '
    + 'superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree '
    + 'treegrid treeitem',
  );

  const BY_TAG = new Map(Object.entries({
    ARTICLE: 'article', ASIDE: 'complementary', BLOCKQUOTE: 'blockquote', BUTTON: 'button',
    CAPTION: 'caption', CODE: 'code', DATALIST: 'listbox', DD: 'definition', DEL: 'deletion',
    DETAILS: 'group', DFN: 'term', DIALOG: 'dialog', DT: 'term', EM: 'emphasis', FIELDSET: 'group',
    FIGURE: 'figure', H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading',
    H6: 'heading', HR: 'separator', HTML: 'document', INS: 'insertion', LI: 'listitem', MAIN: 'main',
    MARK: 'mark', MATH: 'math', MENU: 'list', METER: 'meter', NAV: 'navigation', OL: 'list',
    OPTGROUP: 'group', OPTION: 'option', OUTPUT: 'status', P: 'paragraph', PROGRESS: 'progressbar',
    SEARCH: 'search', STRONG: 'strong', SUB: 'subscript', SUP: 'superscript', SVG: 'img',
    TABLE: 'table', TBODY: 'rowgroup', TEXTAREA: 'textbox', TFOOT: 'rowgroup', THEAD: 'rowgroup',
    TIME: 'time', TR: 'row', UL: 'list',
  }));

  const INPUT_ROLES = new Map(Object.entries({
    button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton',
    radio: 'radio', range: 'slider', reset: 'button', submit: 'button', hidden: null,
  }));
  const TEXT_INPUTS = set('email search tel text url');

  const SECTIONING = 'article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), '
    + 'section:not([role]), [role=article], [role=complementary], [role=main], [role=navigation], '
    + '[role=region]';

  const hasAuthorName = (element) => has(element, 'aria-label') || has(element, 'aria-labelledby');

  const GLOBAL = 'atomic busy controls current describedby details dropeffect flowto grabbed hidden '
    + 'keyshortcuts live owns relevant';
  const GLOBAL_SELECTOR = GLOBAL.split(' ').map((name) => `[aria-${name}]`).join(',');
  const UNNAMEABLE = set('caption code deletion emphasis generic insertion paragraph presentation '
    + 'strong subscript superscript');
  const hasGlobalAria = (element, role) => dom.matches(element, GLOBAL_SELECTOR)
    || (hasAuthorName(element) && !UNNAMEABLE.has(role))
    || (has(element, 'aria-roledescription') && role !== 'generic');

  const hasTabIndex = (element) => {
    const value = attr(element, 'tabindex');
    return value !== null && !Number.isNaN(Number(value));
  };
  const FOCUSABLE = set('BUTTON DETAILS SELECT TEXTAREA');
  const isFocusable = (element) => {
    if (page.states.isNativelyDisabled(element)) return false;
    const tag = tagOf(element);
    return FOCUSABLE.has(tag) || hasTabIndex(element)
      || ((tag === 'A' || tag === 'AREA') && has(element, 'href'))
      || (tag === 'INPUT' && !element.hidden);
  };

  const inputRole = (input) => {
    const type = input.type.toLowerCase();
    if (INPUT_ROLES.has(type)) return INPUT_ROLES.get(type);
    if (!TEXT_INPUTS.has(type)) return 'textbox';
    const list = has(input, 'list') && dom.byId(dom.rootNode(input), attr(input, 'list'));
    if (list && tagOf(list) === 'DATALIST') return 'combobox';
    return type === 'search' ? 'searchbox' : 'textbox';
  };

  const isDecorative = (img) => attr(img, 'alt') === '' && !attr(img, 'title')
    && !hasGlobalAria(img) && !hasTabIndex(img);

  const isFilledCell = (element) => !!element && tagOf(element) === 'TD'
    && (!!dom.firstElement(element) || !!dom.textContent(element).trim());
  const isHeaderCell = (element) => !!element && tagOf(element) === 'TH';
  const headerCellRole = (cell) => {
    const scope = attr(cell, 'scope');
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    const [before, after] = [dom.previousElement(cell), dom.nextElement(cell)];
    if (!before && !after) {
      const row = dom.parentElement(cell);
      const table = row && tagOf(row) === 'TR' && dom.closestAcross(row, 'table');
      return table && table.rows.length <= 1 ? null : 'columnheader';
    }
    if (isHeaderCell(before) && isHeaderCell(after)) return 'columnheader';
    return isFilledCell(before) || isFilledCell(after) ? 'rowheader' : 'columnheader';
  };
  const dataCellRole = (cell) => {
    const table = dom.closestAcross(cell, 'table');
    const role = table && explicitRole(table);
    return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell';
  };

  const linkRole = (element) => (has(element, 'href') ? 'link' : null);
  const landmark = (role) => (element) => (dom.closestAcross(element, SECTIONING) ? null : role);
  const BY_CIRCUMSTANCE = new Map(Object.entries({
    A: linkRole, AREA: linkRole, INPUT: inputRole, TH: headerCellRole, TD: dataCellRole,
    FOOTER: landmark('contentinfo'), HEADER: landmark('banner'),
    FORM: (element) => (hasAuthorName(element) ? 'form' : null),
    SECTION: (element) => (hasAuthorName(element) ? 'region' : null),
    IMG: (element) => (isDecorative(element) ? 'presentation' : 'img'),
    SELECT: (element) => (element.multiple || element.size > 1 ? 'listbox' : 'combobox'),
  }));

  const explicitRole = (element) => {
    const value = attr(element, 'role');
    if (!value) return null;
    return value.split(/\s+/).find((role) => KNOWN.has(role)) ?? null;
  };

  const isPresentational = (role) => role === 'none' || role === 'presentation';
  const resists = (element, role) => hasGlobalAria(element, role) || isFocusable(element);

  const OWNED_BY = new Map(Object.entries({
    DD: set('DL DIV'), DIV: set('DL'), DT: set('DL DIV'), LI: set('OL UL'), TBODY: set('TABLE'),
    TD: set('TR'), TFOOT: set('TABLE'), TH: set('TR'), THEAD: set('TABLE'),
    TR: set('THEAD TBODY TFOOT TABLE'),
  }));
  const inheritedPresentation = (element) => {
    for (let at = element; ;) {
      const parent = dom.parentOf(at);
      if (!parent || !OWNED_BY.get(tagOf(at))?.has(tagOf(parent))) return null;
      const role = explicitRole(parent);
      if (isPresentational(role) && !resists(parent, role)) return role;
      at = parent;
    }
  };

  const implicitRole = (element) => {
    const tag = tagOf(element);
    const role = BY_TAG.get(tag) ?? BY_CIRCUMSTANCE.get(tag)?.(element) ?? null;
    return role && OWNED_BY.has(tag) ? inheritedPresentation(element) ?? role : role;
  };

  const findRole = (element) => {
    const explicit = explicitRole(element);
    if (!explicit) return implicitRole(element);
    if (!isPresentational(explicit)) return explicit;
    const implicit = implicitRole(element);
    return resists(element, implicit) ? implicit : explicit;
  };

  const roleOf = (element) => {
    const known = facts(element);
    if (known.role === undefined) known.role = findRole(element);
    return known.role;
  };

  page.roles = { roleOf, isPresentational };
})(globalThis.greenroom ??= {});
