// Compares the generated locators with upstream's, for the refs of every page.
//
//   node compare-locators.mjs [page.html …]
//
// It fails when a locator is not upstream's, unless upstream itself has none, and when one leads to
// anything but one element. LIMIT says how many refs of a page are looked at.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Driven, launch, root, serve } from './harness/driver.mjs';

const wanted = process.argv.slice(2);
const SKIPPED = new Set(['controls900.html', 'frames.html', 'frameset.html']);
const names = wanted.length ? wanted : readdirSync(join(root, 'pages')).filter((name) => name.endsWith('.html') && !SKIPPED.has(name)).sort();
const LIMIT = Number(process.env.LIMIT ?? 8);

// Upstream throws on pages that shadow the properties of their elements.
const NONE = Symbol('none');

const browser = await launch();
const server = await serve();
let [same, total, unique] = [0, 0, 0];
for (const name of names) {
  // Upstream counts its refs on from document to document of a page.
  const page = await browser.newPage();
  await page.goto(server.url(name));
  const driven = await Driven.open(page);
  const text = await driven.snapshot();
  const theirs = await page.ariaSnapshot({ mode: 'ai' });
  const refs = [...text.matchAll(/\[ref=(e\d+)\]/g)].map(([, ref]) => ref)
    .filter((ref) => theirs.includes(`[ref=${ref}]`)).slice(0, LIMIT);
  const ours = await driven.call(`(g, refs) => refs.map((ref) => {
    const { locator } = g.describe(g.resolve(ref));
    return { locator, count: g.query(g.parts(locator)[0]).length };
  })`, refs);
  const upstream = await Promise.all(refs.map((ref) => page.locator(`aria-ref=${ref}`).normalize().then(String, () => NONE)));
  for (const [i, { locator, count }] of ours.entries()) {
    total++;
    if (upstream[i] === NONE || locator === upstream[i]) same++;
    else console.log(`${name} ${refs[i]}\n    ours     ${locator}\n    upstream ${upstream[i]}`);
    // Whatever the words: the locator has to lead back to one element.
    if (count === 1) unique++;
    else console.log(`${name} ${refs[i]} ${locator} matches ${count}`);
  }
  await page.close();
}
console.log(`${same} of ${total} locators equal upstream's; ${unique} of ${total} lead to one element`);
await browser.close();
server.close();
process.exitCode = total > 0 && same === total && unique === total ? 0 : 1;
