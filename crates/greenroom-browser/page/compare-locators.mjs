// Compares the generated locators with upstream's, for every ref of every page.
//
//   node compare-locators.mjs [page.html …]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Driven, launch, root, serve } from './harness/driver.mjs';

const wanted = process.argv.slice(2);
const SKIPPED = new Set(['controls900.html', 'frames.html', 'frameset.html']);
const names = wanted.length ? wanted : readdirSync(join(root, 'pages')).filter((name) => name.endsWith('.html') && !SKIPPED.has(name)).sort();
const LIMIT = Number(process.env.LIMIT ?? 60);

const browser = await launch();
const server = await serve();
let [same, total, unique] = [0, 0, 0];
for (const name of names) {
  const page = await browser.newPage();
  await page.goto(server.url(name));
  const driven = await Driven.open(page);
  const text = await driven.snapshot();
  const theirs = await page.ariaSnapshot({ mode: 'ai' });
  const refs = [...text.matchAll(/\[ref=(e\d+)\]/g)].map(([, ref]) => ref).slice(0, LIMIT);
  for (const ref of refs) {
    if (!theirs.includes(`[ref=${ref}]`)) continue;
    const ours = await driven.call('(g, ref) => g.describe(g.resolve(ref)).locator', ref);
    const upstream = await page.locator(`aria-ref=${ref}`).normalize().then(String, (error) => `(fails: ${error.message.split('\n')[0]})`);
    total++;
    if (ours === upstream) same++;
    else console.log(`${name} ${ref}\n    ours     ${ours}\n    upstream ${upstream}`);
    // Whatever the words: the locator has to lead back to one element.
    const count = await driven.call('(g, locator) => g.query(g.parts(locator)[0]).length', ours);
    if (count === 1) unique++;
    else console.log(`${name} ${ref} ${ours} matches ${count}`);
  }
  await page.close();
}
console.log(`${same} of ${total} locators equal upstream's; ${unique} of ${total} lead to one element`);
await browser.close();
server.close();
