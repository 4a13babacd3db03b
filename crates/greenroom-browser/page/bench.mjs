// Measures one snapshot beside upstream's in-page script, in the same page and the same run, in
// processor time of the page's thread, which other work on the machine does not change much.
//
//   node bench.mjs [page.html]      the fastest of 5 loads: the first snapshot and later ones
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Driven, launch, serve, script, modules } from './harness/driver.mjs';

// Upstream ships its in-page script as a string literal in its bundle.
const bundle = readFileSync(join(modules, 'playwright-core/lib/coreBundle.js'), 'utf8').split('\n');
const literal = bundle.find((line) => /^\s*source\d+ = '/.test(line) && line.includes('var InjectedScript = class'));
const source = Function(`return ${literal.trim().replace(/^source\d+ = /, '').replace(/;$/, '')}`)();

// The fastest of several runs: everything above it is what else the machine was doing.
const fastest = (values) => Math.min(...values);
const names = process.argv.length > 2 ? process.argv.slice(2) : ['controls900.html', 'app.html', 'pseudo.html'];

const browser = await launch();
const server = await serve();
const options = JSON.stringify({
  isUnderTest: false, sdkLanguage: 'javascript', testIdAttributeName: 'data-testid', stableRafCount: 1,
  browserName: 'chromium', isUtilityWorld: true, customEngines: [],
});
const loadUpstream = `(() => { const module = {}; ${source};
  globalThis.upstream = new (module.exports.InjectedScript())(globalThis, ${options}); })()`;
const CALLS = {
  ours: 'greenroom.snapshot({}).text',
  upstream: "upstream.ariaSnapshot(document.body, { mode: 'ai' })",
};

// The first snapshot of a fresh document is what an agent waits for after each navigation: the
// code is cold then. The layout is done beforehand in both cases, for it is the page's own cost.
const measure = async (page, url, who) => {
  await page.goto(url);
  const driven = await Driven.open(page);
  const contextId = await driven.world(await driven.mainFrame());
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await driven.session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  if (who === 'upstream') await evaluate(loadUpstream);
  await driven.session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => (await driven.session.send('Performance.getMetrics')).metrics
    .find(({ name: metric }) => metric === 'TaskDuration').value * 1000;
  const time = async () => {
    await evaluate("document.body.setAttribute('data-run', Math.random()), document.body.offsetWidth");
    const before = await spent();
    await evaluate(`${CALLS[who]}, 0`);
    return await spent() - before;
  };
  const first = await time();
  const later = [];
  for (let i = 0; i < 8; i++) later.push(await time());
  await driven.session.detach();
  return { first, later: fastest(later) };
};

for (const name of names) {
  const page = await browser.newPage();
  const runs = { ours: [], upstream: [] };
  for (let i = 0; i < 5; i++) {
    for (const who of ['ours', 'upstream']) runs[who].push(await measure(page, server.url(name), who));
  }
  const row = (who) => `${who} first ${fastest(runs[who].map((run) => run.first)).toFixed(1)} ms, later ${fastest(runs[who].map((run) => run.later)).toFixed(1)} ms`;
  console.log(`${name.padEnd(18)} ${row('ours')}; ${row('upstream')}`);
  await page.close();
}
console.log('script bytes', script.length);
await browser.close();
server.close();
