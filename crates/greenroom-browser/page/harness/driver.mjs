// Drives a page with the in-page script loaded in an isolated world of each of its frames, the way
// the engine does, and beside it upstream's own snapshot of the same page.
import { createServer } from 'node:http';
import { readFileSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '..');
// The pinned upstream lies in `upstream/` at the top of the checkout, wherever that is.
const findModules = () => {
  for (let at = here; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, 'upstream', 'node_modules');
    if (existsSync(candidate)) return candidate;
  }
  throw new Error('upstream/node_modules was not found above this file; set UPSTREAM_MODULES');
};
export const modules = process.env.UPSTREAM_MODULES ?? findModules();
const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');

export const script = JSON.parse(readFileSync(join(root, 'order.json'), 'utf8'))
  .map((name) => readFileSync(join(root, `${name}.js`), 'utf8')).join('\n');

// The first Chromium on the search path, the headless shell before the others.
const findChromium = () => {
  const names = ['chromium-headless-shell', 'chromium', 'google-chrome', 'chromium-browser'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of names) {
    const folder = folders.find((each) => existsSync(join(each, name)));
    if (folder) return join(folder, name);
  }
  throw new Error('no Chromium was found on the search path; set CHROMIUM to one');
};

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? findChromium(),
  args: ['--no-sandbox'],
});

const TYPES = { html: 'text/html; charset=utf-8', css: 'text/css', svg: 'image/svg+xml' };

export const serve = () => new Promise((ready) => {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://local').pathname).replace(/^\/+/, '');
    const file = join(root, 'pages', path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[path.split('.').pop()] ?? 'text/plain' });
    response.end(readFileSync(file));
  });
  server.listen(0, '127.0.0.1', () => ready({
    url: (name) => `http://127.0.0.1:${server.address().port}/${name}`,
    close: () => server.close(),
  }));
});

// One page with the script in the isolated world of its main frame and of every child frame.
export class Driven {
  static async open(page) {
    const driven = new Driven();
    driven.page = page;
    driven.session = await page.context().newCDPSession(page);
    await driven.session.send('Page.enable');
    await driven.session.send('DOM.enable');
    driven.worlds = new Map();
    driven.prefixes = new Map();
    return driven;
  }

  async world(frameId) {
    if (!this.worlds.has(frameId)) {
      const { executionContextId } = await this.session.send('Page.createIsolatedWorld', { frameId, worldName: 'greenroom' });
      const loaded = await this.session.send('Runtime.evaluate', { expression: `${script}\n;0`, contextId: executionContextId });
      if (loaded.exceptionDetails) throw new Error(JSON.stringify(loaded.exceptionDetails));
      this.worlds.set(frameId, executionContextId);
    }
    return this.worlds.get(frameId);
  }

  async mainFrame() {
    this.main ??= (await this.session.send('Page.getFrameTree')).frameTree.frame.id;
    return this.main;
  }

  // Calls a function of the page's script: `call('(g, a) => g.snapshot(a)', {...})`.
  async call(fn, argument, { frameId, byValue = true } = {}) {
    const contextId = await this.world(frameId ?? await this.mainFrame());
    const reply = await this.session.send('Runtime.callFunctionOn', {
      functionDeclaration: `(argument) => (${fn})(globalThis.greenroom, argument)`,
      arguments: [{ value: argument }],
      executionContextId: contextId,
      returnByValue: byValue,
      awaitPromise: true,
    });
    if (reply.exceptionDetails) {
      throw new Error(reply.exceptionDetails.exception?.description ?? reply.exceptionDetails.text);
    }
    return byValue ? reply.result.value : reply.result;
  }

  async childFrame(ref, frameId) {
    const element = await this.call('(g, ref) => g.refs.recall(ref).element', ref, { frameId, byValue: false });
    const { node } = await this.session.send('DOM.describeNode', { objectId: element.objectId });
    return node.contentDocument?.frameId ?? node.frameId;
  }

  // The snapshot with child frames filled in below their iframe lines.
  async snapshot(options = {}, frameId = undefined) {
    const reading = await this.call('(g, options) => g.snapshot(options)', options, { frameId });
    const lines = reading.text.split('\n');
    for (const { ref, line, depth } of [...reading.frames].reverse()) {
      const child = await this.childFrame(ref, frameId);
      if (!this.prefixes.has(child)) this.prefixes.set(child, `f${this.prefixes.size + 1}`);
      const inner = { ...options, target: undefined, prefix: this.prefixes.get(child) };
      if (options.depth) inner.depth = options.depth - depth - 1;
      const text = await this.snapshot(inner, child);
      if (!text) continue;
      const indent = '  '.repeat(depth + 1);
      lines[line] += ':';
      lines.splice(line + 1, 0, ...text.split('\n').map((each) => indent + each));
    }
    return lines.join('\n');
  }
}
