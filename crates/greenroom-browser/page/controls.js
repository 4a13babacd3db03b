// Controls: choosing options, reading checks, focusing, measuring, and knowing file inputs.
//
// Each function takes an element and does one thing at once; waiting until it can be done is the
// business of `ready`. Where the element is a label, its control is meant.
((page) => {
  'use strict';
  const { dom, states } = page;
  const { squash } = page.text;

  const optionLine = (option) => JSON.stringify(squash(option.label) || option.value);
  const listOptions = (select) => {
    const lines = [...select.options].slice(0, 20).map(optionLine);
    const more = select.options.length > 20 ? ` and ${select.options.length - 20} more` : '';
    return lines.length ? `It has ${lines.join(', ')}${more}.` : 'It has no options.';
  };

  const isMeant = (option, wanted) => option.value === wanted || option.label === wanted
    || squash(option.label) === squash(wanted);

  const chosenBy = (select, wanted) => {
    const rest = new Set(wanted);
    const chosen = [];
    for (const option of select.options) {
      const match = [...rest].find((each) => isMeant(option, each));
      if (match === undefined) continue;
      if (page.pass(() => states.isDisabled(option))) {
        page.fail('BadValue', `The option ${optionLine(option)} is disabled. Choose another one.`);
      }
      chosen.push(option);
      if (!select.multiple) return chosen;
      rest.delete(match);
    }
    if (rest.size) {
      const missing = [...rest].map((each) => JSON.stringify(each)).join(', ');
      page.fail('BadValue', `There is no option ${missing} in ${page.preview(select)}. ${listOptions(select)}`);
    }
    return chosen;
  };

  // Chooses options by value or label; gives back the chosen values. The focus stays where it is, as
  // the upstream has it: what a page does when a field is left is not done for a choice elsewhere.
  const select = (element, wanted) => {
    const control = page.controlOf(element);
    if (dom.readTag(control) !== 'SELECT') {
      page.fail('WrongElement', `${page.preview(control)} is not a select. For a list drawn by the page, click it and `
        + 'then the option.');
    }
    const values = [wanted].flat().map(String);
    const chosen = values.length ? chosenBy(control, values) : [];
    for (const option of control.options) option.selected = false;
    for (const option of chosen) option.selected = true;
    control.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
    return { values: chosen.map((option) => option.value), labels: chosen.map((option) => squash(option.label)) };
  };

  // {checked: true | false | 'mixed', isRadio}: a radio button cannot be unchecked by a click.
  const checkState = (element) => page.pass(() => {
    const control = page.controlOf(element);
    const checked = states.checkedOf(control);
    if (checked === undefined) {
      page.fail('WrongElement', `${page.preview(control)} is not a checkbox, radio button or switch. Use browser_click.`);
    }
    return { checked, isRadio: page.roles.roleOf(control) === 'radio' };
  });

  const focus = (element) => {
    const active = dom.rootNode(element).activeElement;
    // Moving between editable areas keeps the old selection unless the first one lets go.
    if (element.isContentEditable && active && active !== element) active.blur?.();
    element.focus();
    return { isFocused: dom.rootNode(element).activeElement === element };
  };

  // What a file input takes; anything else is refused with the way to an upload.
  const fileInput = (element) => {
    const control = page.controlOf(element);
    if (dom.readTag(control) !== 'INPUT' || control.type !== 'file') {
      page.fail('WrongElement', `${page.preview(control)} is not a file input. Click the button that opens the file `
        + 'chooser, then use browser_file_upload.');
    }
    return { multiple: control.multiple, directory: control.webkitdirectory, accept: control.accept };
  };

  const box = (element) => {
    const { x, y, width, height } = dom.rect(element);
    return { x, y, width, height };
  };

  Object.assign(page, { select, checkState, focus, fileInput, box });
})(globalThis.greenroom ??= {});
