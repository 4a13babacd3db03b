import { test } from 'node:test';
import assert from 'node:assert/strict';
import { open, useBrowser } from './support.mjs';

useBrowser();
const ready = (page, target, options = {}) =>
  page.on(target, '(g, element, options) => g.ready(element, options)', { timeout: 400, ...options });

test('a visible button is ready at its middle', async () => {
  const page = await open('<style>body{margin:0}button{position:absolute;left:10px;top:20px;width:100px;height:40px}</style><button>Go</button>');
  const answer = await ready(page, 'button');
  assert.deepEqual(answer, { ok: true, x: 60, y: 40, box: { x: 10, y: 20, width: 100, height: 40 } });
  await page.close();
});

test('an element that becomes visible, enabled and still is waited for', async () => {
  const page = await open(`<style>@keyframes m{from{margin-left:0}to{margin-left:200px}}</style>
    <button id=a style="display:none">A</button><button id=b disabled>B</button><button id=c style="animation:m 300ms linear">C</button>
    <script>setTimeout(() => { a.style.display = 'block'; b.disabled = false; }, 100)</script>`);
  for (const id of ['#a', '#b', '#c']) assert.equal((await ready(page, id, { timeout: 5000 })).ok, true, id);
  const box = await page.on('#c', '(g, e) => Math.round(parseFloat(getComputedStyle(e).marginLeft))');
  assert.equal(box, 0, 'the animation had ended');
  await page.close();
});

test('an element that never becomes ready says why', async () => {
  const page = await open(`<style>@keyframes m{to{margin-left:200px}}</style>
    <button id=hidden style="visibility:hidden">x</button><button id=empty style="width:0;height:0;padding:0;border:0;overflow:hidden"></button>
    <fieldset disabled><button id=disabled>x</button></fieldset><div aria-disabled=true><a href=# id=aria>x</a></div>
    <input id=readonly readonly><p id=wrong>x</p><button id=moving style="animation:m 100ms linear infinite alternate">x</button>`);
  const reasonOf = async (id, states) => (await ready(page, id, { timeout: 150, ...(states && { states }) })).reason;
  assert.equal(await reasonOf('#hidden'), 'hidden');
  assert.equal(await reasonOf('#empty'), 'hidden');
  assert.equal(await reasonOf('#disabled'), 'disabled');
  assert.equal(await reasonOf('#aria'), 'disabled');
  assert.equal(await reasonOf('#readonly', ['editable']), 'readonly');
  assert.equal(await reasonOf('#wrong', ['editable']), 'wrong');
  assert.equal(await reasonOf('#moving', ['stable']), 'moving');
  await page.close();
});

test('a covering element is named', async () => {
  const page = await open(`<button>Under</button><div class=overlay style="position:fixed;inset:0;z-index:9"><p>Cookies?</p></div>`);
  const answer = await ready(page, 'button');
  assert.equal(answer.reason, 'covered');
  assert.match(answer.cover, /^<div class="overlay">…<\/div>$|Cookies\?/);
  assert.match(answer.message, /is in the way and would take the click/);
  await page.close();
});

test('a cover that goes away is waited for', async () => {
  const page = await open(`<button>Under</button><div id=o style="position:fixed;inset:0"></div><script>setTimeout(() => o.remove(), 100)</script>`);
  assert.equal((await ready(page, 'button', { timeout: 5000 })).ok, true);
  await page.close();
});

test('an element far down is scrolled into view, from under a fixed header and footer too', async () => {
  const page = await open(`<style>body{margin:0;height:9000px}.bar{position:fixed;left:0;right:0;height:200px;background:red;z-index:1}</style>
    <div class=bar style="top:0"></div><div class=bar style="bottom:0"></div><a href=# style="position:absolute;top:5000px">far</a>`);
  const answer = await ready(page, 'a', { timeout: 5000 });
  assert.equal(answer.ok, true);
  assert.ok(answer.y > 200 && answer.y < 520, JSON.stringify(answer));
  await page.close();
});

test('a removed element is told at once', async () => {
  const page = await open('<button id=b style="visibility:hidden">x</button>');
  const answer = await page.on('#b', '(g, e) => { const waiting = g.ready(e, { timeout: 60000 }); e.remove(); return waiting; }');
  assert.equal(answer.reason, 'detached');
  await page.close();
});

test('the click reaches elements in shadow trees, slots, labels and icons', async () => {
  const page = await open(`<x-a><template shadowrootmode=open><button class=in><slot></slot></button></template><b id=slotted>slotted</b></x-a>
    <label for=c id=l style="position:relative;display:inline-block;width:50px;height:20px"><i style="position:absolute;inset:0;background:green"></i></label>
    <input type=checkbox id=c style="position:absolute;left:8px;z-index:-1;opacity:0;width:50px;height:20px">
    <button id=icon><svg id=svg width=20 height=20><rect width=20 height=20 /></svg></button>
    <a id=wrap href=# style="display:block;width:80px">a long link that wraps over several lines</a>`);
  for (const target of ['button.in', '#slotted', '#svg', '#icon', '#wrap', '#l']) {
    assert.equal((await ready(page, target)).ok, true, target);
  }
  await page.close();
});

test('the position within an element can be chosen', async () => {
  const page = await open('<style>body{margin:0}canvas{border:5px solid}</style><canvas width=100 height=100></canvas>');
  const { x, y } = await ready(page, 'canvas', { position: { x: 10, y: 30 } });
  assert.deepEqual({ x, y }, { x: 15, y: 35 });
  await page.close();
});
