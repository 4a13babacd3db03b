// One browser for all test files of a process; `open(html)` gives a page with the script in its
// isolated world.
import { after, before } from 'node:test';
import { Driven, launch } from '../harness/driver.mjs';

let browser;
let isUsed = false;
export const useBrowser = () => {
  if (isUsed) return;
  isUsed = true;
  before(async () => { browser = await launch(); });
  after(async () => { await browser.close(); });
};

export const open = async (html) => {
  const page = await browser.newPage();
  await page.setContent(html);
  const driven = await Driven.open(page);
  driven.refOf = async (line) => {
    const text = await driven.snapshot();
    const found = text.split('\n').find((each) => each.includes(line));
    if (!found) throw new Error(`no line with ${line} in\n${text}`);
    return /\[ref=(\w+)\]/.exec(found)[1];
  };
  // Calls a function of the script with the element that a target means.
  driven.on = (target, fn, argument) =>
    driven.call(`(g, { target, argument }) => (${fn})(g, g.resolve(target), argument)`, { target, argument });
  driven.idOf = (target) => driven.on(target, '(g, element) => element.id');
  driven.close = () => page.close();
  return driven;
};
