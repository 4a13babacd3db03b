// Compares the script's snapshots with upstream's, page by page, line by line.
//
//   node compare.mjs            a table over every page in pages/
//   node compare.mjs forms.html the same for some pages, with the differing lines
//
// It fails when a page differs that should not, or one no longer does that is said to.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Driven, launch, root, serve } from './harness/driver.mjs';

const wanted = process.argv.slice(2);
const names = wanted.length ? wanted : readdirSync(join(root, 'pages')).filter((name) => name.endsWith('.html') && !name.startsWith('_')).sort();
const VARIANTS = [['whole', {}], ['depth 2', { depth: 2 }], ['depth 4', { depth: 4 }], ['boxes', { boxes: true }]];

// Where the two differ on purpose, and why.
const KNOWN = {
  'undrawn.html': 'upstream prints the ::before and ::after text of elements that are not drawn',
  'hiddenlink.html': 'upstream gives a link the URL of a hidden link inside it',
  'fallback.html': 'upstream prints the fallback text of an iframe instead of what is in the frame',
};

// Frame prefixes are numbered by whoever asks first; within one snapshot the order of first
// appearance makes them comparable. Everything else, ref numbers too, has to be equal.
const normalise = (text) => {
  const seen = new Map();
  return text.replace(/\[ref=(f\d+)e/g, (_, prefix) => {
    if (!seen.has(prefix)) seen.set(prefix, `f${seen.size + 1}`);
    return `[ref=${seen.get(prefix)}e`;
  });
};

const differences = (ours, theirs) => {
  const [a, b] = [ours.split('\n'), theirs.split('\n')];
  const result = [];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (a[i] !== b[i]) result.push([i + 1, a[i] ?? '(no line)', b[i] ?? '(no line)']);
  }
  return { lines: b.length, result };
};

const browser = await launch();
const server = await serve();
const wrong = [];
for (const name of names) {
  const page = await browser.newPage();
  await page.goto(server.url(name));
  const driven = await Driven.open(page);
  const cells = [];
  let isDifferent = false;
  for (const [label, options] of VARIANTS) {
    const ours = normalise(await driven.snapshot(options));
    const theirs = normalise(await page.ariaSnapshot({ mode: 'ai', ...options }));
    const { lines, result } = differences(ours, theirs);
    isDifferent ||= result.length > 0;
    cells.push(result.length ? `${label}: ${result.length} of ${lines} differ` : `${label}: ${lines} equal`);
    if (wanted.length || (result.length && !KNOWN[name])) {
      for (const [line, mine, upstream] of result.slice(0, wanted.length ? 40 : 3)) {
        console.log(`  ${name} ${label} line ${line}\n    ours     ${mine}\n    upstream ${upstream}`);
      }
    }
  }
  console.log(`${name.padEnd(22)} ${cells.join('   ')}${KNOWN[name] ? `   (known: ${KNOWN[name]})` : ''}`);
  if (isDifferent !== !!KNOWN[name]) wrong.push(name);
  await page.close();
}
await browser.close();
server.close();
if (wrong.length) {
  console.log(`not as they should be: ${wrong.join(', ')}`);
  process.exitCode = 1;
}
