import { test } from 'node:test';
import assert from 'node:assert/strict';
import { open, useBrowser } from './support.mjs';

useBrowser();
const passes = (page, x, y) => page.on('iframe', '(g, owner, at) => g.passes(owner, at)', { x, y });
const FRAME = '<style>body{margin:0}iframe{position:absolute;left:100px;top:50px;width:300px;height:200px;border:0}</style><iframe></iframe>';

test('a click gets into a frame where the frame is, and nowhere else', async () => {
  const page = await open(`${FRAME}<div id=veil style="position:absolute;left:200px;top:50px;width:50px;height:50px">Veil</div>`);
  assert.deepEqual(await passes(page, 110, 60), { ok: true });
  const covered = await passes(page, 210, 60);
  assert.equal(covered.reason, 'covered');
  assert.match(covered.cover, /id="veil"/);
  assert.equal((await passes(page, 110, 900)).reason, 'outside');
  assert.equal((await passes(page, -5, 60)).reason, 'outside');
  await page.close();
});

test('a frame that is not drawn says so', async () => {
  const page = await open(FRAME.replace('<iframe', '<iframe style="visibility:hidden"'));
  assert.equal((await passes(page, 110, 60)).reason, 'hidden');
  await page.close();
});

test('what a frame shows is its size and where its pinched part begins', async () => {
  const page = await open('<body style="width:5000px;height:5000px">');
  const view = () => page.call('(g) => g.view()');
  assert.deepEqual(await view(), { width: 1280, height: 720, left: 0, top: 0, ratio: 1 });
  await page.session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
  await page.call("() => document.body.scrollIntoView({ block: 'end', inline: 'end' })");
  const { width, left, top } = await view();
  assert.deepEqual({ width, left, top }, { width: 1280, left: 640, top: 360 });
  await page.close();
});
