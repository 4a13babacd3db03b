import { test } from 'node:test';
import assert from 'node:assert/strict';
import { open, useBrowser } from './support.mjs';

useBrowser();
const watch = (page, x, y, slack) => page.on('button', '(g, it, near) => g.watchMouse(it, near)', { x, y, slack });
const hasCome = (page) => page.on('button', '(g, it) => g.mouseHasCome(it)');
const move = (page, x, y) => page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });

test('the mouse has come when it moves to the place that is meant, as near as was asked for', async () => {
  const page = await open('<button>Press</button>');
  await watch(page, 50, 60, 2);
  await move(page, 51, 59);
  assert.equal(await hasCome(page), true);
  await watch(page, 50, 60, 2);
  await move(page, 53, 60);
  assert.equal(await hasCome(page), false);
  await page.close();
});

test('a mouse that is there already has come when it moves there again', async () => {
  const page = await open('<button>Press</button>');
  await move(page, 50, 60);
  await watch(page, 50, 60, 1);
  assert.equal(await hasCome(page), false);
  await watch(page, 50, 60, 1);
  await move(page, 50, 60);
  assert.equal(await hasCome(page), true);
  await page.close();
});

test('a mouse that went on has not come, and neither has one that the page makes up', async () => {
  const page = await open('<button>Press</button>');
  await watch(page, 50, 60, 1);
  await move(page, 50, 60);
  await move(page, 150, 60);
  assert.equal(await hasCome(page), false);
  await watch(page, 50, 60, 1);
  await page.call("() => { document.dispatchEvent(new PointerEvent('pointermove', { clientX: 50, clientY: 60 })); }");
  assert.equal(await hasCome(page), false);
  await page.close();
});
