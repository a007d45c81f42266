import { expect, test } from 'vitest';
import { checkRetention } from '../../../src/cli/checks/retention.ts';
import { createReader } from '../../../src/reader/reader.ts';

/** What is found when the service answers so. */
async function found(fetch: typeof globalThis.fetch, signal = new AbortController().signal) {
  return await checkRetention(createReader({ url: 'http://127.0.0.1:1', apiKey: 'key', retries: 0, fetch }), signal);
}

test('a service that is slow to tell is not taken for dead', async () => {
  const never: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
    });
  expect(await found(never, AbortSignal.timeout(1))).toEqual([]);
});

test.each([
  [null, 'each service has its own rule'],
  [{ all: { days: null, bytes: null }, projects: {} }, 'all'],
  [{ all: { days: 30, bytes: null }, projects: {} }, '30 days'],
])('%j is told', async (policy, message) => {
  expect(await found(async () => Response.json({ policy }))).toEqual([{ level: 'ok', about: 'kept', message }]);
});
