// Compares snapshots with upstream's on random pages made of everything that the rules are about.
//
//   node fuzz-compare.mjs [count] [first seed]     prints the smallest differing page it finds
import { Driven, launch } from './harness/driver.mjs';

const random = (seed) => () => {
  // A small generator of its own, so that a seed always gives the same page.
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const TAGS = ('div div div span span p a a button button input ul ol li table tr td th label h1 h2 section nav main article header footer '
  + 'form fieldset legend select textarea img b i em strong code details summary figure figcaption dl dt dd svg dialog br hr blockquote x-y output meter progress caption').split(' ');
const ROLES = 'button link none presentation heading list listitem row cell grid gridcell tab treeitem option checkbox textbox img group region menuitem dialog generic combobox'.split(' ');
const TEXTS = ['Save', 'a', 'x y', 'Total: 5', '12', '- item', ' ', 'true', 'Long text with several words in it', 'ü "q"', 'Save'];
const STYLES = ['display:none', 'display:block', 'display:inline', 'display:inline-block', 'display:flex', 'display:contents', 'visibility:hidden', 'visibility:visible', 'cursor:pointer', 'cursor:pointer', 'pointer-events:none', 'position:absolute', 'width:0;height:0;overflow:hidden', 'opacity:0', 'content-visibility:hidden'];
const CLASSES = ['pb', 'pa', 'pk', 'pi'];
// Generated text only where it is drawn: what upstream makes of the rest differs on purpose.
const UNDRAWN = ['[hidden]', '[style*="display:none"]', 'details:not([open])', 'dialog:not([open])', '[style*="content-visibility"]', 'meter', 'progress', 'x-y', '[type=hidden]'];
const DRAWN = `:not(${UNDRAWN.flatMap((each) => [each, `${each} *`]).join(', ')})`;
const CSS = `.pb${DRAWN}::before{content:"B "}.pa${DRAWN}::after{content:"A"}.pk${DRAWN}::before{content:"K";display:block}.pi${DRAWN}::before{content:"\\f101";cursor:pointer}`;
const VOID = new Set(['input', 'img', 'br', 'hr']);

const makePage = (seed) => {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const chance = (p) => next() < p;
  let ids = 0;
  const attributes = (tag) => {
    const out = [];
    if (chance(0.2)) out.push(`id=i${ids++}`);
    if (chance(0.15)) out.push(`role="${pick(ROLES)}"`);
    if (chance(0.12)) out.push(`style="${pick(STYLES)}"`);
    if (chance(0.08)) out.push(`class="${pick(CLASSES)}"`);
    if (chance(0.06)) out.push(`aria-label="${pick(['Label', 'Save', ''])}"`);
    if (chance(0.06)) out.push(`aria-labelledby="i${Math.floor(next() * 8)} i${Math.floor(next() * 8)}"`);
    if (chance(0.04)) out.push(`aria-owns="i${Math.floor(next() * 8)}"`);
    if (chance(0.05)) out.push(`aria-hidden=${pick(['true', 'false'])}`);
    if (chance(0.05)) out.push(`title="${pick(['Tip', 'Save'])}"`);
    if (chance(0.05)) out.push('tabindex=0');
    if (chance(0.06)) out.push(`aria-${pick(['expanded', 'checked', 'selected', 'pressed', 'disabled', 'invalid', 'live'])}=${pick(['true', 'false', 'mixed'])}`);
    if (chance(0.03)) out.push('hidden');
    if (chance(0.03)) out.push(`aria-level=${pick(['1', '3', 'x'])}`);
    if (tag === 'a' && chance(0.7)) out.push(`href="${pick(['/x', '#', 'data:text/plain,abc'])}"`);
    if (tag === 'input') out.push(`type=${pick(['text', 'checkbox', 'radio', 'submit', 'button', 'number', 'range', 'search', 'file', 'image', 'hidden', 'date'])}`, chance(0.5) ? 'value=5' : '', chance(0.4) ? 'placeholder="Hint"' : '');
    if (tag === 'img') out.push('src=x width=9 height=9', chance(0.6) ? `alt="${pick(['', 'Pic'])}"` : '');
    if (tag === 'svg') out.push('width=9 height=9');
    if (tag === 'label') out.push(`for=i${Math.floor(next() * 8)}`);
    if (tag === 'details' || tag === 'dialog') out.push(chance(0.6) ? 'open' : '');
    if (['button', 'input', 'select', 'fieldset', 'textarea'].includes(tag) && chance(0.15)) out.push('disabled');
    return out.filter(Boolean).join(' ');
  };
  const element = (depth) => {
    const tag = pick(TAGS);
    const open = `<${tag} ${attributes(tag)}>`;
    if (VOID.has(tag)) return open;
    if (tag === 'select') return `${open}<option>one<option selected>two</select>`;
    if (tag === 'textarea') return `${open}text</textarea>`;
    if (tag === 'svg') return `${open}${chance(0.5) ? '<title>Icon</title>' : ''}<rect width=5 height=5 /></svg>`;
    const shadow = tag === 'x-y' && chance(0.7) ? `<template shadowrootmode=open>${children(depth + 1)}<slot></slot></template>` : '';
    return `${open}${shadow}${children(depth + 1)}</${tag}>`;
  };
  const children = (depth) => {
    let out = '';
    const count = depth > 6 ? 0 : Math.floor(next() * 4);
    for (let i = 0; i < count; i++) out += chance(0.4) ? pick(TEXTS) : element(depth);
    return out || (chance(0.7) ? pick(TEXTS) : '');
  };
  let body = '';
  for (let i = 0; i < 8; i++) body += element(0);
  return `<!doctype html><style>${CSS}</style>${body}`;
};

const [count = '200', first = '1'] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage();
let [same, different] = [0, 0];
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  await page.goto('about:blank');
  await page.setContent(makePage(seed));
  const driven = await Driven.open(page);
  const ours = (await driven.snapshot()).split('\n');
  const theirs = (await page.ariaSnapshot({ mode: 'ai' })).split('\n');
  const at = theirs.findIndex((line, i) => line !== ours[i]);
  if (at < 0 && ours.length === theirs.length) {
    same++;
  } else {
    different++;
    if (different <= Number(process.env.SHOW ?? 5)) console.log(`seed ${seed} line ${at + 1} of ${theirs.length}\n    ours     ${ours[at]}\n    upstream ${theirs[at]}`);
  }
  await driven.session.detach();
}
console.log(`${same} of ${same + different} random pages equal`);
await browser.close();
