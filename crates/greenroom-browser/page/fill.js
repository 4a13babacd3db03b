// Fill: puts a value into a field as a person would have.
//
// `startFill` does what is common to all: it refuses what cannot be filled, sets fields with a
// picker (dates, colours, ranges) at once, and otherwise selects what is in the field and leaves
// the typing to the caller, who sends it as real input. That is what rich editors need, since they
// act on `beforeinput`. `fill` finishes in the page itself, without a further call: text goes in
// through the editing command, which fires `input` and leaves an undo step, or through the native
// setter where the kind of field prevents that.
//
// Fields with a picker are checked afterwards, because the browser silently drops values that it
// does not understand.
((page) => {
  'use strict';
  const { dom } = page;

  const PICKED = new Set(['color', 'date', 'datetime-local', 'month', 'range', 'time', 'week']);
  const TYPED = new Set(['', 'email', 'number', 'password', 'search', 'tel', 'text', 'url']);
  const EXAMPLES = {
    color: '#ff8800', date: '2025-12-31', 'datetime-local': '2025-12-31T23:59', month: '2025-12', range: '50',
    time: '23:59', week: '2025-W52',
  };

  const announce = (element, data) => {
    const init = { bubbles: true, composed: true };
    element.dispatchEvent(data === undefined ? new Event('input', init)
      : new InputEvent('input', { ...init, inputType: 'insertText', data }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };

  const valueSetter = (element) => Object.getOwnPropertyDescriptor(
    dom.readTag(element) === 'TEXTAREA' ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype, 'value',
  ).set;

  const pick = (input, value) => {
    const wanted = input.type === 'color' ? value.trim().toLowerCase() : value.trim();
    input.focus();
    valueSetter(input).call(input, wanted);
    if (input.value !== wanted) {
      const bounds = input.min || input.max ? ` (from ${input.min || 'any'} to ${input.max || 'any'})` : '';
      page.fail('BadValue', `${JSON.stringify(value)} is not a value for a field of type `
        + `${input.type}${bounds}. Write it like ${EXAMPLES[input.type]}.`);
    }
    announce(input);
  };

  const selectContents = (element) => {
    const range = dom.ownerDocument(element).createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  const selectText = (element) => {
    const field = page.controlOf(element);
    const tag = dom.readTag(field);
    field.focus();
    if (tag === 'INPUT' || tag === 'TEXTAREA') field.select();
    else selectContents(field);
    return field;
  };

  const textIn = (field) => (field.isContentEditable ? field.innerText : field.value);

  const insert = (field, value) => {
    const isDone = value ? document.execCommand('insertText', false, value)
      : !textIn(field) || document.execCommand('delete', false);
    const isEditable = field.isContentEditable;
    if (isDone && (isEditable || field.value === value.replaceAll('\r\n', '\n'))) return;
    if (isEditable) {
      field.textContent = value;
      announce(field, value);
      return;
    }
    // A page that formats what is typed leaves another value behind, as it would for a person.
    if (isDone && field.value !== '' && value !== '') return;
    valueSetter(field).call(field, value);
    announce(field, value);
  };

  const checkKind = (field, value) => {
    const tag = dom.readTag(field);
    if (tag === 'TEXTAREA' || field.isContentEditable) return value;
    if (tag !== 'INPUT') {
      page.fail('WrongElement', `${page.preview(field)} cannot be filled: it is not an input, a textarea `
        + 'or editable. Use browser_select_option for a select, browser_click for a button.');
    }
    const type = field.type.toLowerCase();
    if (!TYPED.has(type) && !PICKED.has(type)) {
      page.fail('WrongElement', `An input of type ${type} cannot be filled. `
        + (type === 'file' ? 'Use browser_file_upload.' : 'Use browser_click, or browser_fill_form for a checkbox.'));
    }
    if (type !== 'number') return value;
    if (Number.isNaN(Number(value))) {
      page.fail('BadValue', `${JSON.stringify(value)} is not a number, and the field takes only numbers.`);
    }
    return value.trim();
  };

  // {isDone, text, value}: unless it is done, `text` is to be inserted over the selection (or the
  // selection deleted, if `text` is empty).
  const startFill = (element, value) => {
    const field = page.controlOf(element);
    const text = checkKind(field, String(value));
    const isPicked = dom.readTag(field) === 'INPUT' && PICKED.has(field.type);
    if (isPicked) pick(field, text);
    else selectText(field);
    return { isDone: isPicked, text, value: textIn(field) };
  };

  // Replaces what is in the field; gives back what it holds afterwards.
  const fill = (element, value) => {
    const field = page.controlOf(element);
    const { isDone, text } = startFill(field, value);
    if (!isDone) insert(field, text);
    return { value: textIn(field) };
  };

  page.startFill = startFill;
  page.fill = fill;
  page.selectText = (element) => { selectText(element); };
})(globalThis.greenroom ??= {});
