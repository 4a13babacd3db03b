import { test } from 'node:test';
import assert from 'node:assert/strict';
import { open, useBrowser } from './support.mjs';

useBrowser();

test('a target limits the snapshot to one part of the page', async () => {
  const page = await open('<h1>Top</h1><form aria-label=F><button>In</button></form>');
  const { text } = await page.call("(g) => g.snapshot({ target: 'form' })");
  assert.match(text, /^- form "F" \[ref=e\d+\]:\n  - button "In" \[ref=e\d+\]$/);
  await page.close();
});

test('the byte limit leaves whole lines, counts the rest and says how to get it', async () => {
  const items = Array.from({ length: 100 }, (_, i) => `<button>Button ü ${i}</button>`).join('');
  const page = await open(items);
  const reading = await page.call('(g) => g.snapshot({ bytes: 600 })');
  const lines = reading.text.split('\n');
  const marker = lines.pop();
  assert.ok(Buffer.byteLength(lines.join('\n')) <= 600);
  const shown = lines.filter((line) => line.includes('- button')).length;
  assert.equal(reading.leftOut, 100 - shown);
  assert.match(marker, new RegExp(`^# ${100 - shown} more nodes were left out.*browser_snapshot with target`));
  assert.ok(lines.every((line) => /^ *- /.test(line)));
  await page.close();
});

test('the depth limit counts what it left out', async () => {
  const page = await open('<ul><li><a href=#>one</a></li><li>two</li></ul>');
  const reading = await page.call('(g) => g.snapshot({ depth: 1 })');
  assert.ok(!reading.text.includes('one'));
  assert.ok(reading.deeper > 0);
  await page.close();
});

test('a reference that goes in circles ends', async () => {
  const page = await open(`<div id=a aria-owns=b role=button>a<div id=b aria-owns=a>b</div></div>
    <button id=c aria-labelledby="d c">c</button><button id=d aria-labelledby="c d">d</button>
    <div id=e aria-owns=e aria-labelledby=e role=link>self</div>
    <span id=p role=button aria-labelledby=q><span id=q aria-labelledby=p>x</span></span>`);
  assert.match(await page.snapshot(), /button "x"/);
  await page.close();
});

// Chromium's own layout overflows its stack at a few thousand nested boxes, so the deepest trees
// that a page can really have are those that are not laid out.
const nest = (page, id, depth, tag, text) => page.page.evaluate(([target, levels, name, each]) => {
  let at = document.getElementById(target);
  for (let i = 0; i < levels; i++) {
    const inner = document.createElement(name);
    if (each) at.append(each);
    at.append(inner);
    at = inner;
  }
  at.append(`bottom of ${name}`);
}, [id, depth, tag, text]);

test('boxes nested a thousand deep are read within the byte limit', async () => {
  const page = await open('<div id=top></div>');
  await nest(page, 'top', 1000, 'section', 't');
  const reading = await page.call('(g) => { const r = g.snapshot({ bytes: 200000 }); return { length: r.text.length, leftOut: r.leftOut }; }');
  assert.ok(reading.length <= 200500 && reading.leftOut > 0, JSON.stringify(reading));
  assert.equal(await page.call("(g) => g.query([{ kind: 'text', pattern: { text: 'bottom of section' } }]).length"), 1);
  assert.match(await page.on('#top', '(g, e) => g.describe(e.firstElementChild).locator'), /section/);
  await page.close();
});

test('a hidden tree ten thousand deep is walked and searched without failing', async () => {
  const page = await open('<div id=top hidden></div><div aria-owns=b></div><button id=b>Seen</button>');
  await nest(page, 'top', 10000, 'button', 'x');
  assert.match(await page.snapshot(), /button "Seen"/);
  assert.equal(await page.call("(g) => g.query([{ kind: 'text', pattern: { text: 'bottom of button' } }]).length"), 1);
  assert.equal(await page.call("(g) => g.query([{ kind: 'role', role: 'button', name: { text: 'Seen' } }]).length"), 1);
  await page.close();
});

test('a name made of content nested ten thousand deep ends at a bound', async () => {
  const page = await open('<div id=top hidden></div><button aria-labelledby=top>x</button>');
  await nest(page, 'top', 10000, 'span', 'n');
  assert.match(await page.snapshot(), /button "n+"/);
  await page.close();
});

test('nested display: contents two thousand deep is read without failing', async () => {
  const page = await open('<div id=top></div>');
  await page.page.evaluate(() => {
    let at = document.getElementById('top');
    for (let i = 0; i < 2000; i++) {
      const inner = document.createElement('div');
      inner.style.display = 'contents';
      at.append(inner);
      at = inner;
    }
    at.innerHTML = '<button>deep</button>';
  });
  assert.match(await page.snapshot(), /button "deep"/);
  await page.close();
});

test('megabytes of text are cut and do not hang', async () => {
  const page = await open('<p id=p></p><button id=b></button><ul role=tree id=t></ul>');
  await page.page.evaluate(() => {
    document.getElementById('p').textContent = 'word '.repeat(200_000);
    document.getElementById('b').textContent = 'name '.repeat(200_000);
  });
  const length = await page.call('(g) => g.snapshot({}).text.length');
  assert.ok(length < 300_000, String(length));
  await page.close();
});

test('names that shadow built-in properties of a form do not bend the walk', async () => {
  const clobbering = ['firstChild', 'nextSibling', 'parentNode', 'nodeType', 'getAttribute', 'hasAttribute', 'tagName',
    'localName', 'attributes', 'children', 'shadowRoot', 'closest', 'matches', 'ownerDocument', 'id', 'classList', 'isConnected',
    'getBoundingClientRect', 'querySelectorAll', 'isContentEditable', 'getRootNode', 'contains', 'textContent', 'labels']
    .map((name) => `<input name=${name} aria-label=${name}>`).join('');
  const page = await open(`<form aria-label=F id=f>${clobbering}<button>Go</button></form><img name=body><img name=activeElement>`);
  const text = await page.snapshot();
  assert.match(text, /form "F"/);
  assert.match(text, /textbox "nextSibling"/);
  assert.match(text, /button "Go"/);
  assert.match(await page.on('form', '(g, e) => g.describe(e).locator'), /F/);
  await page.close();
});

test('prototypes patched by the page are not seen', async () => {
  const page = await open(`<button>Real</button><script>
    Element.prototype.getAttribute = () => { throw new Error('patched'); };
    Array.prototype.push = () => { throw new Error('patched'); };
    window.getComputedStyle = () => null;
    document.querySelectorAll = () => [];
  </script>`);
  assert.match(await page.snapshot(), /button "Real"/);
  await page.close();
});

test('an SVG element named like a control is read as what it is', async () => {
  const page = await open('<p>x</p>');
  await page.page.evaluate(() => {
    for (const tag of ['input', 'select', 'button', 'table', 'slot', 'option', 'details', 'iframe', 'textarea', 'label', 'img', 'svg', 'th', 'td']) {
      for (const namespace of ['http://www.w3.org/2000/svg', 'urn:other']) {
        document.body.append(document.createElementNS(namespace, tag));
      }
    }
  });
  assert.match(await page.snapshot(), /x/);
  await page.close();
});

test('a style sheet that changes after a snapshot is noticed', async () => {
  const page = await open('<style id=s>.a{color:red}</style><button class=a>x</button>');
  assert.match(await page.snapshot(), /button "x"/);
  await page.page.evaluate(() => { document.getElementById('s').sheet.insertRule('.a::before { content: "new " }'); });
  assert.match(await page.snapshot(), /button "new x"/);
  await page.close();
});

test('a document without a body is read from its root', async () => {
  const page = await open('<p>x</p>');
  await page.page.goto(`data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><title>Chart</title><text y="20">Peak</text></svg>')}`);
  page.worlds.clear();
  assert.match(await page.snapshot(), /img "Chart" \[ref=e1\]/);
  await page.close();
});
