import { test } from 'node:test';
import assert from 'node:assert/strict';
import { open, useBrowser } from './support.mjs';

useBrowser();

const PAGE = `<form aria-label=Account>
  <label for=mail>E-mail address</label><input id=mail placeholder="you@example.org" data-testid=mail-field>
  <button id=save title="Keep it">Save</button><button id=saveAll>Save all</button>
  <ul><li id=one>First <b>item</b></li><li id=two>Second item</li><li id=three class=last>Third item</li></ul>
  <img id=logo alt="Our logo" src=x width=9 height=9><input type=checkbox id=agree checked aria-label=Agree>
  <x-card><template shadowrootmode=open><button id=inner class=deep>Inside</button></template></x-card>
  <h2 id=h2>Title</h2><div id=hiddenOne hidden><button>Ghost</button></div></form>`;

const CASES = {
  "getByRole('button', { name: 'Save', exact: true })": 'save',
  "getByRole('button', { name: /^save a/i })": 'saveAll',
  "getByRole('button', { name: 'save' }).first()": 'save',
  "getByRole('button', { name: \"save\" }).last()": 'saveAll',
  "page.getByRole('heading', { level: 2 })": 'h2',
  "getByRole('checkbox', { checked: true })": 'agree',
  "getByText('second ITEM')": 'two',
  "getByText('Save', { exact: true })": 'save',
  "getByLabel('E-mail')": 'mail',
  "getByPlaceholder('you@')": 'mail',
  "getByTestId('mail-field')": 'mail',
  "getByTitle('keep')": 'save',
  "getByAltText('our logo')": 'logo',
  "locator('ul').locator('li').nth(1)": 'two',
  "locator('li').filter({ hasText: 'Third' })": 'three',
  "locator('li', { hasText: /first/i })": 'one',
  "locator('li').filter({ has: page.locator('b') })": 'one',
  "getByRole('listitem').filter({ hasNotText: 'item' }).or(getByRole('heading'))": 'h2',
  "getByRole('button').and(locator('#saveAll'))": 'saveAll',
  'role=button[name="Save"]': 'save',
  'role=button[name="save" i]': 'save',
  'role=button[name=/all$/]': 'saveAll',
  'role=heading[level=2]': 'h2',
  'text=Third item': 'three',
  'text="Second item"': 'two',
  'text=/^Second/': 'two',
  '"Second item"': 'two',
  'css=li.last': 'three',
  'xpath=//li[2]': 'two',
  '//li[3]': 'three',
  'ul >> li >> nth=1': 'two',
  'ul >> text=Third': 'three',
  '#save': 'save',
  'ul > li:last-child': 'three',
  'button.deep': 'inner',
  'form x-card button': 'inner',
  'li:has-text("Third")': 'three',
  'form li:has-text("Second")': 'two',
  'id=save': 'save',
  'data-testid=mail-field': 'mail',
};

test('every common kind of target leads to its element', async () => {
  const page = await open(PAGE);
  for (const [target, id] of Object.entries(CASES)) assert.equal(await page.idOf(target), id, target);
  await page.close();
});

test('a target that matches several elements is refused with a list of refs', async () => {
  const page = await open(PAGE);
  await assert.rejects(page.idOf("getByRole('button', { name: 'Save' })"), (error) => {
    assert.match(error.message, /^NotUnique: .* matches 2 elements:/);
    assert.match(error.message, /button "Save all" \[ref=e\d+\] <button id="saveAll">Save all<\/button>/);
    assert.match(error.message, /Use the ref of the one you mean/);
    return true;
  });
  const ref = await page.refOf('button "Save all"');
  assert.equal(await page.idOf(ref), 'saveAll');
  await page.close();
});

test('a target that matches nothing is refused with what is near', async () => {
  const page = await open(PAGE);
  await assert.rejects(page.idOf("getByRole('button', { name: 'Save everything' })"),
    /NotFound: .*Near it: button "Save" \[ref=e\d+\]; button "Save all"/);
  await assert.rejects(page.idOf('#nope'), /NotFound: "#nope" does not match any elements\. Take a snapshot/);
  await assert.rejects(page.idOf("getByRole('button', { name: 'Ghost' })"), /NotFound/);
  await page.close();
});

test('a target that cannot be read is refused with an example', async () => {
  const page = await open(PAGE);
  for (const bad of ['li[', 'foo=bar', "getByRole('button'", "getByNothing('x')", "getByRole('a').click()", '', "getByRole(window.x)"]) {
    await assert.rejects(page.idOf(bad), /BadTarget: .*(Use|use) a ref/s, bad);
  }
  await page.close();
});

test('a chain through frames is given part by part', async () => {
  const page = await open(PAGE);
  const parts = await page.call('(g, target) => g.parts(target)', "locator('iframe').contentFrame().getByRole('button', { name: 'x' })");
  assert.deepEqual(parts.map((steps) => steps[0].kind), ['css', 'role']);
  await page.close();
});

test('a ref survives a new snapshot and other changes of the page', async () => {
  const page = await open(PAGE);
  const ref = await page.refOf('button "Save"');
  await page.page.evaluate(() => document.querySelector('ul').remove());
  assert.equal(await page.refOf('button "Save"'), ref);
  assert.equal(await page.idOf(ref), 'save');
  await page.close();
});

test('a ref whose element was drawn anew is healed by role and name', async () => {
  const page = await open(PAGE);
  const ref = await page.refOf('button "Save all"');
  await page.page.evaluate(() => {
    const old = document.getElementById('saveAll');
    old.outerHTML = '<button id=fresh>Save all</button>';
  });
  assert.equal(await page.idOf(ref), 'fresh');
  await page.close();
});

test('a stale ref says what became of its element', async () => {
  const page = await open(PAGE);
  const ref = await page.refOf('button "Save all"');
  await page.page.evaluate(() => { document.getElementById('saveAll').textContent = 'Saved'; });
  const renamed = await page.refOf('button "Saved"');
  assert.notEqual(renamed, ref);
  await assert.rejects(page.idOf(ref), new RegExp(`Stale: ${ref} was button "Save all"; it is now button "Saved" \\[ref=${renamed}\\]`));
  await page.page.evaluate(() => document.getElementById('saveAll').remove());
  await assert.rejects(page.idOf(ref), /was button "Save all"; it is gone from the page\. Take a new snapshot/);
  await page.page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<button>Save all</button><button>Save all</button>'));
  await assert.rejects(page.idOf(ref), /now 2 elements are like it: button "Save all" \[ref=/);
  await assert.rejects(page.idOf('e9999'), /Stale: Ref e9999 is not known on this page/);
  await page.close();
});

test('an element that changed its name since the snapshot is still meant by its ref', async () => {
  const page = await open('<button id=b>Clicked 0 times</button>');
  const ref = await page.refOf('Clicked');
  await page.page.evaluate(() => { document.getElementById('b').textContent = 'Clicked 1 times'; });
  assert.equal(await page.idOf(ref), 'b');
  await page.close();
});

test('an element is described with role, name, ref and a locator that finds it', async () => {
  const page = await open(PAGE);
  const ref = await page.refOf('button "Save"');
  const described = await page.on(ref, '(g, element) => g.describe(element)');
  assert.deepEqual({ ...described, steps: null },
    { tag: 'button', role: 'button', name: 'Save', ref, locator: "getByRole('button', { name: 'Save', description: 'Keep it' })", steps: null });
  const item = await page.on('#two', '(g, element) => g.describe(element).locator');
  assert.equal(item, "getByText('Second item')");
  await page.close();
});
