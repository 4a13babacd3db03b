// States: what a control says about itself (checked, disabled, expanded, level and so on).
//
// A state is read only from roles that may have it, because authors put `aria-checked` and its
// like on all kinds of elements where assistive technology ignores them. Native state comes before
// ARIA: what the browser draws is what a person sees. `statesOf` gives just the states that are
// set, in the order in which the snapshot prints them.
((page) => {
  'use strict';
  const { dom, facts, roles } = page;
  const { attr, has, tagOf } = dom;
  const set = (words) => new Set(words.split(' '));

  const CHECKABLE = set('checkbox menuitemcheckbox menuitemradio option radio switch treeitem');
  const SELECTABLE = set('columnheader gridcell option row rowheader tab treeitem');
  const EXPANDABLE = set('application button checkbox columnheader combobox gridcell link listbox '
    + 'menuitem menuitemcheckbox menuitemradio row rowheader switch tab treeitem');
  const LEVELED = set('heading listitem row treeitem');
  const DISABLEABLE = set('application button checkbox columnheader combobox composite grid gridcell '
    + 'group input link listbox menu menubar menuitem menuitemcheckbox menuitemradio option radio '
    + 'radiogroup row rowheader scrollbar searchbox select separator slider spinbutton switch tab '
    + 'tablist textbox toolbar tree treegrid treeitem');
  const VALIDATED = set('application checkbox columnheader combobox gridcell listbox radiogroup '
    + 'rowheader searchbox slider spinbutton switch textbox tree');
  const EDITABLE = set('checkbox columnheader combobox grid gridcell listbox radiogroup rowheader '
    + 'searchbox slider spinbutton switch textbox treegrid');

  const CONTROLS = set('BUTTON INPUT OPTGROUP OPTION SELECT TEXTAREA');
  const isInDisabledFieldset = (element) => {
    const fieldset = dom.closest(element, 'fieldset[disabled]');
    if (!fieldset) return false;
    for (let child = dom.firstElement(fieldset); child; child = dom.nextElement(child)) {
      // The first legend is exempt, so that a switch in it can turn the group back on.
      if (tagOf(child) === 'LEGEND') return !dom.contains(child, element);
    }
    return true;
  };
  const isNativelyDisabled = (element) => {
    const tag = tagOf(element);
    if (!CONTROLS.has(tag)) return false;
    return has(element, 'disabled') || isInDisabledFieldset(element)
      || (tag === 'OPTION' && !!dom.closest(element, 'optgroup[disabled]'));
  };

  // `aria-disabled` reaches down to everything inside, until someone says otherwise.
  const isAriaDisabled = (element) => {
    const asked = [];
    let answer = false;
    for (let at = element; at; at = dom.parentOf(at)) {
      const known = facts(at);
      if (known.ariaDisabled !== undefined) {
        answer = known.ariaDisabled;
        break;
      }
      asked.push(known);
      const value = attr(at, 'aria-disabled')?.toLowerCase();
      if (value === 'true' || value === 'false') {
        answer = value === 'true';
        break;
      }
    }
    for (const known of asked) known.ariaDisabled = answer;
    return answer;
  };
  const isDisabled = (element) => isNativelyDisabled(element)
    || (DISABLEABLE.has(roles.roleOf(element)) && isAriaDisabled(element));

  // True, false, 'mixed', or undefined for something that cannot be checked.
  const checkedOf = (element) => {
    if (tagOf(element) === 'INPUT') {
      if (element.indeterminate) return 'mixed';
      if (element.type === 'checkbox' || element.type === 'radio') return element.checked;
    }
    if (!CHECKABLE.has(roles.roleOf(element))) return undefined;
    const value = attr(element, 'aria-checked');
    return value === 'mixed' ? 'mixed' : value === 'true';
  };

  const expandedOf = (element) => {
    if (tagOf(element) === 'DETAILS') return element.open;
    if (!EXPANDABLE.has(roles.roleOf(element))) return undefined;
    const value = attr(element, 'aria-expanded');
    return value === null ? undefined : value === 'true';
  };

  const HEADING = /^H([1-6])$/;
  const levelOf = (element) => {
    const heading = HEADING.exec(tagOf(element));
    if (heading) return Number(heading[1]);
    const level = Number(attr(element, 'aria-level') ?? NaN);
    return LEVELED.has(roles.roleOf(element)) && Number.isInteger(level) && level >= 1 ? level : 0;
  };

  const pressedOf = (element) => {
    if (roles.roleOf(element) !== 'button') return false;
    const value = attr(element, 'aria-pressed');
    return value === 'mixed' ? 'mixed' : value === 'true';
  };

  const selectedOf = (element) => {
    if (tagOf(element) === 'OPTION') return element.selected;
    return SELECTABLE.has(roles.roleOf(element))
      && attr(element, 'aria-selected')?.toLowerCase() === 'true';
  };

  const invalidOf = (element) => {
    const value = attr(element, 'aria-invalid');
    if (!value?.trim() || value.toLowerCase() === 'false') return false;
    return value === 'grammar' || value === 'spelling' ? value : true;
  };

  // True, false, or undefined for something that takes no text or choice at all.
  const readonlyOf = (element) => {
    const tag = tagOf(element);
    if (tag === 'INPUT' || tag === 'TEXTAREA' || tag === 'SELECT') return has(element, 'readonly');
    if (EDITABLE.has(roles.roleOf(element))) return attr(element, 'aria-readonly') === 'true';
    return element.isContentEditable ? false : undefined;
  };

  const mark = (name, value) => (value === true ? ` [${name}]` : value ? ` [${name}=${value}]` : '');

  // The bracketed states of a snapshot line. `active` stands between them in the printed order,
  // and only the tree builder knows it.
  const marksOf = (element, role, isActive) => {
    let marks = '';
    if (CHECKABLE.has(role)) marks += mark('checked', checkedOf(element));
    if (DISABLEABLE.has(role) && isDisabled(element)) marks += ' [disabled]';
    if (EXPANDABLE.has(role) && expandedOf(element)) marks += ' [expanded]';
    if (isActive) marks += ' [active]';
    if (VALIDATED.has(role)) marks += mark('invalid', invalidOf(element));
    if (LEVELED.has(role)) marks += mark('level', levelOf(element));
    if (role === 'button') marks += mark('pressed', pressedOf(element));
    if (SELECTABLE.has(role) && selectedOf(element)) marks += ' [selected]';
    return marks;
  };

  page.states = {
    isNativelyDisabled, isDisabled, checkedOf, expandedOf, levelOf, pressedOf, selectedOf,
    readonlyOf, marksOf,
  };
})(globalThis.greenroom ??= {});
