// A program of a user who runs the kit against `traced`. It is copied beside an installed package and run by each
// version of Node. Writes one line of JSON per check.
import { pathToFileURL } from 'node:url';
import { extract, flush, init, inject, previewMask, shutdown, traced, withContext } from 'spoor';
import { transparencyConformance } from 'spoor/testing';

const [copyPath, ...sections] = process.argv.slice(2);
const checks = [];
const closing = [];
const path = [];

const runner = {
  describe(name, body) {
    path.push(name);
    body();
    path.pop();
  },
  test: Object.assign((name, body) => checks.push({ section: path.at(-1), name, body }), {
    skip: (name) => checks.push({ section: path.at(-1), name }),
  }),
  afterAll: (body) => closing.push(body),
};

transparencyConformance(runner, {
  name: 'traced',
  wrap: traced,
  decorate: traced,
  start: init,
  stop: shutdown,
  flush,
  inject,
  extract,
  previewMask,
  withContext,
  module: import.meta.resolve('spoor'),
  copy: async () => (await import(pathToFileURL(copyPath).href)).traced,
  ...(sections.length > 0 ? { sections } : {}),
});

for (const { section, name, body } of checks) {
  const line = { section, name, result: body === undefined ? 'skipped' : 'passed' };
  try {
    await body?.();
  } catch (error) {
    Object.assign(line, { result: 'failed', error: error?.stack ?? String(error) });
  }
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
for (const close of closing) await close();
