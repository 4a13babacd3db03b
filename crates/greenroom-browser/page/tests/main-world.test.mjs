import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/driver.mjs';
import { open, useBrowser } from './support.mjs';

useBrowser();
const wrapper = readFileSync(join(root, 'main-world.js'), 'utf8').replace(/^\/\/.*\n/gm, '');

// Runs code in the page's own world, with the element that a target means in the isolated one.
const evaluate = async (page, code, target) => {
  let objectId = (await page.session.send('Runtime.evaluate', { expression: 'globalThis' })).result.objectId;
  const values = [];
  if (target) {
    const isolated = await page.call('(g, target) => g.resolve(target)', target, { byValue: false });
    const { node } = await page.session.send('DOM.describeNode', { objectId: isolated.objectId });
    const { object } = await page.session.send('DOM.resolveNode', { backendNodeId: node.backendNodeId });
    objectId = object.objectId;
    values.push({ objectId });
  }
  const reply = await page.session.send('Runtime.callFunctionOn', {
    functionDeclaration: `(element) => (${wrapper})((${code}), element)`,
    objectId,
    arguments: values,
    returnByValue: true,
    awaitPromise: true,
  });
  if (reply.exceptionDetails) throw new Error(reply.exceptionDetails.exception.description);
  return reply.result.value;
};

test('code sees the page and its elements, whatever the policy of the page', async () => {
  const page = await open(`<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'"><button id=b>Go</button><script>globalThis.secret = 7</script>`);
  assert.deepEqual(await evaluate(page, '() => secret + 1'), { value: 8 });
  assert.deepEqual(await evaluate(page, 'document.title.length'), { value: 0 });
  assert.deepEqual(await evaluate(page, '(element) => element.textContent', '#b'), { value: 'Go' });
  assert.deepEqual(await evaluate(page, 'async () => { await null; }'), { isUndefined: true });
  await assert.rejects(evaluate(page, '() => { throw new TypeError("mine") }'), /TypeError: mine/);
  await page.close();
});

test('what JSON cannot say is described', async () => {
  const page = await open('<p>x</p>');
  const code = `() => { const o = { n: NaN, d: new Date(0), r: /x/g, e: document.body, m: new Map([[1, 2]]), s: new Set([1]), f() {}, u: undefined, us: [undefined],
    b: 1n, list: document.querySelectorAll('p'), err: new RangeError('bad'), bytes: new Uint8Array([1, 2]) }; o.self = o; return o; }`;
  assert.deepEqual((await evaluate(page, code)).value, {
    n: 'NaN', d: '1970-01-01T00:00:00.000Z', r: '/x/g', e: '<body>', m: [[1, 2]], s: [1], f: 'f() {}', us: [null],
    b: '1n', list: ['<p>'], err: 'RangeError: bad', bytes: [1, 2], self: '[circular]',
  });
  await page.close();
});
