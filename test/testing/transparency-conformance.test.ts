import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extract, flush, init, inject, previewMask, shutdown, traced, withContext } from '../../src/index.ts';
import { buildOnce } from '../build.ts';
import { secondCopy } from './second-copy.ts';
import { transparencyConformance, type TransparencySubject } from '../../src/testing/index.ts';

// Types are those of the package.
beforeAll(buildOnce);

const OURS: TransparencySubject = {
  name: 'traced',
  wrap: traced,
  decorate: traced,
  start: init,
  stop: shutdown,
  flush,
  inject,
  extract,
  withContext,
  previewMask,
  module: new URL('../../dist/index.js', import.meta.url).href,
  copy: secondCopy,
};

transparencyConformance({ describe, test, afterAll }, OURS);

/** Runs the kit; names of all checks and of those that fail. */
async function resultsOf(subject: TransparencySubject): Promise<{ names: string[]; failed: string[] }> {
  const tests: { name: string; body: () => Promise<void> }[] = [];
  const runner = {
    describe: (_name: string, body: () => void) => body(),
    test: (name: string, body: () => Promise<void>) => void tests.push({ name, body }),
  };
  transparencyConformance(runner, subject);
  const failed: string[] = [];
  for (const { name, body } of tests) await body().catch(() => failed.push(name));
  return { names: tests.map(({ name }) => name), failed };
}

/** Everything that the kit can ask for is there, and does nothing. */
const NOTHING: TransparencySubject = {
  wrap: (fn) => fn,
  calls: () => [],
  start: () => undefined,
  stop: () => undefined,
  flush: () => undefined,
  inject: (carrier) => carrier,
  extract: (_carrier, fn) => fn(),
  withContext: (_options, fn) => fn(),
  previewMask: (value) => value,
  module: `data:text/javascript,${encodeURIComponent(`
    export const traced = (fn) => fn;
    export const extract = (carrier, fn) => fn();
    export const flush = async () => {};
  `)}`,
  copy: () => (fn) => fn,
  patienceMs: 0,
};

test('a wrapper that does nothing fails every check', async () => {
  const { names, failed } = await resultsOf(NOTHING);
  expect(names.filter((name) => name.includes('(needs '))).toEqual([]);
  expect(failed).toEqual(names);
});
