import { test } from 'node:test';
import assert from 'node:assert/strict';
import { open, useBrowser } from './support.mjs';

useBrowser();
const LOG = `<script>globalThis.events = []; for (const type of ['beforeinput', 'input', 'change', 'focus', 'blur'])
  addEventListener(type, (event) => events.push(event.type + ':' + (event.target.id ?? '')), true)</script>`;
const eventsOf = (page) => page.page.evaluate(() => events);
const fill = (page, target, value) => page.on(target, '(g, element, value) => g.fill(element, value)', value);

test('a text field is filled with the events of typing', async () => {
  const page = await open(`${LOG}<label for=t>Name</label><input id=t value=old><input id=next>`);
  assert.deepEqual(await fill(page, '#t', 'Ann "B" ü'), { value: 'Ann "B" ü' });
  assert.deepEqual(await eventsOf(page), ['focus:t', 'input:t']);
  await page.on('#next', '(g, element) => g.focus(element)');
  assert.deepEqual((await eventsOf(page)).slice(2), ['change:t', 'blur:t', 'focus:next']);
  assert.deepEqual(await fill(page, 'label', 'by label'), { value: 'by label' });
  assert.deepEqual(await fill(page, '#t', ''), { value: '' });
  await page.close();
});

test('a fill can be left to real input, with the old text selected', async () => {
  const page = await open(`${LOG}<input id=t value=old><div id=rich contenteditable>old</div><input id=d type=date>`);
  const start = (target, value) => page.on(target, '(g, element, value) => g.startFill(element, value)', value);
  for (const target of ['#t', '#rich']) {
    assert.deepEqual(await start(target, 'new'), { isDone: false, text: 'new', value: 'old' });
    await page.session.send('Input.insertText', { text: 'new' });
    assert.equal(await page.on(target, '(g, element) => element.value ?? element.innerText'), 'new');
  }
  assert.deepEqual(await start('#d', '2025-01-02'), { isDone: true, text: '2025-01-02', value: '2025-01-02' });
  assert.ok((await eventsOf(page)).includes('beforeinput:t'));
  await page.close();
});

test('a field that a framework watches through its value property notices the fill', async () => {
  const page = await open(`<input id=t><script>
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let tracked = ''; globalThis.seen = [];
    Object.defineProperty(t, 'value', { get() { return native.get.call(this); }, set(v) { tracked = v; native.set.call(this, v); } });
    t.addEventListener('input', () => { if (t.value !== tracked) seen.push(tracked = t.value); });
  </script>`);
  await fill(page, '#t', 'watched');
  assert.deepEqual(await page.page.evaluate(() => globalThis.seen), ['watched']);
  await page.close();
});

test('every kind of field takes its kind of value', async () => {
  const page = await open(`<textarea id=area>x</textarea><div id=rich contenteditable>old <b>text</b></div><input id=n type=number><input id=p type=password>
    <input id=d type=date><input id=time type=time><input id=c type=color><input id=r type=range min=0 max=10><input id=e type=email><input id=w type=week><input id=limited maxlength=3>`);
  const cases = {
    '#area': 'two\nlines', '#rich': 'new', '#n': '42', '#p': 'secret', '#d': '2025-03-04', '#time': '12:30', '#c': '#00ff00', '#r': '7', '#e': 'a@b.c', '#w': '2025-W10',
  };
  for (const [target, value] of Object.entries(cases)) assert.equal((await fill(page, target, value)).value.trim(), value, target);
  assert.equal((await fill(page, '#limited', 'abcdef')).value, 'abc');
  await page.close();
});

test('a value that a field cannot hold is refused with an example', async () => {
  const page = await open('<input id=d type=date><input id=r type=range min=0 max=10><input id=n type=number><input id=f type=file><p id=p>x</p><input id=c type=checkbox>');
  await assert.rejects(fill(page, '#d', 'tomorrow'), /BadValue: "tomorrow" is not a value for a field of type date.*2025-12-31/);
  await assert.rejects(fill(page, '#r', '50'), /BadValue: .*from 0 to 10/);
  await assert.rejects(fill(page, '#n', 'many'), /BadValue: "many" is not a number/);
  await assert.rejects(fill(page, '#f', 'x'), /WrongElement: .*browser_file_upload/);
  await assert.rejects(fill(page, '#p', 'x'), /WrongElement: <p id="p">x<\/p> cannot be filled/);
  await assert.rejects(fill(page, '#c', 'x'), /WrongElement: An input of type checkbox cannot be filled/);
  await page.close();
});

const select = (page, target, values) => page.on(target, '(g, element, values) => g.select(element, values)', values);

test('options are chosen by value or label, and the focus stays where it is', async () => {
  const page = await open(`${LOG}<select id=s><option value=1>One<option value=2>  Two   words </select>
    <select id=m multiple><option>a<option selected>b<option>c</select>`);
  assert.deepEqual(await select(page, '#s', ['Two words']), { values: ['2'], labels: ['Two words'] });
  assert.deepEqual(await eventsOf(page), ['input:s', 'change:s']);
  assert.deepEqual((await select(page, '#s', '1')).values, ['1']);
  assert.deepEqual((await select(page, '#m', ['a', 'c'])).values, ['a', 'c']);
  assert.deepEqual((await select(page, '#m', [])).values, []);
  assert.equal(await page.page.evaluate(() => document.getElementById('m').selectedOptions.length), 0);
  await page.close();
});

test('an option that is not there is refused with those that are', async () => {
  const page = await open('<select id=s><option>One<option disabled>Off</select><div id=d>x</div>');
  await assert.rejects(select(page, '#s', ['Two']), /BadValue: There is no option "Two".*It has "One", "Off"\./s);
  await assert.rejects(select(page, '#s', ['Off']), /BadValue: The option "Off" is disabled/);
  await assert.rejects(select(page, '#d', ['x']), /WrongElement: .*is not a select/);
  await page.close();
});

test('checks, file inputs, focus and text selection are read and set', async () => {
  const page = await open(`<label id=l><input type=checkbox id=c checked> x</label><div id=s role=switch aria-checked=false>s</div><input type=radio id=r>
    <input type=file id=f multiple accept=".png"><p id=p>words</p><input id=t value=abc>`);
  const check = (target) => page.on(target, '(g, element) => g.checkState(element)');
  assert.deepEqual(await check('#l'), { checked: true, isRadio: false });
  assert.deepEqual(await check('#s'), { checked: false, isRadio: false });
  assert.deepEqual(await check('#r'), { checked: false, isRadio: true });
  await assert.rejects(check('#p'), /WrongElement: .*not a checkbox/);
  const files = (target) => page.on(target, '(g, element) => g.fileInput(element)');
  assert.deepEqual(await files('#f'), { multiple: true, directory: false, accept: '.png' });
  await assert.rejects(files('#t'), /WrongElement: .*not a file input/);
  assert.deepEqual(await page.on('#t', '(g, element) => g.focus(element)'), { isFocused: true });
  await page.on('#t', '(g, element) => g.selectText(element)');
  assert.equal(await page.page.evaluate(() => String(getSelection())), 'abc');
  await page.close();
});

const wait = (page, options) => page.call('(g, options) => g.waitForText(options)', options);

test('a text that appears or goes away is noticed', async () => {
  const page = await open(`<p id=a>Loading…</p><p id=b style="display:none">By style</p><script>setTimeout(() => {
    a.textContent = 'All done'; document.head.append(Object.assign(document.createElement('style'), { textContent: '#b { display: block !important }' }));
  }, 100)</script>`);
  assert.equal((await wait(page, { text: 'all DONE', timeout: 5000 })).ok, true);
  assert.equal((await wait(page, { text: 'By style', timeout: 5000 })).ok, true);
  assert.equal((await wait(page, { text: 'Loading', gone: true, timeout: 5000 })).ok, true);
  const never = await wait(page, { text: 'Never', timeout: 100 });
  assert.equal(never.ok, false);
  assert.ok(never.waited >= 100);
  assert.equal((await wait(page, { text: 'All done', gone: true, timeout: 50 })).ok, false);
  await page.close();
});

test('find shows each match under its path and joins those that are close', async () => {
  const page = await open('<main><h1>Fruit</h1><ul><li>Apple</li><li>Pear</li><li>Plum</li><li>Fig</li><li>Kiwi</li><li>Lime</li><li>Nut</li><li>Date</li><li>Melon</li><li>Grape</li></ul></main>');
  const snapshot = await page.snapshot();
  const found = await page.call('(g, a) => g.find(a)', { snapshot, text: 'GRAPE' });
  assert.equal(found.count, 1);
  assert.match(found.text, /^Found 1 match for "GRAPE":\n\n- main \[ref=e\d+\]:\n  - list \[ref=e\d+\]:\n    - listitem \[ref=e\d+\]: Nut/);
  const both = await page.call('(g, a) => g.find(a)', { snapshot, regex: '/^.*(apple|grape)/i' });
  assert.equal(both.count, 2);
  assert.ok(both.text.includes('\n\n----\n\n'));
  assert.equal((await page.call('(g, a) => g.find(a)', { snapshot, text: 'zzz' })).text, 'No matches found for "zzz".');
  await assert.rejects(page.call('(g, a) => g.find(a)', { snapshot, regex: '(' }), /BadValue: \( is not a regular expression/);
  await assert.rejects(page.call('(g, a) => g.find(a)', { snapshot }), /BadValue: Provide either/);
  await page.close();
});
