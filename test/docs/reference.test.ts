import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { PAGE } from '../../src/protocol/page-endpoints.ts';
import { ERROR_CODES } from '../../src/protocol/error.ts';
import { INSTRUMENT_RULES } from '../../src/integrations/api/instrument-options.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { DEFAULT_CAPTURE_LIMITS } from '../../src/tracing/capture/capture-limits.ts';
import { examplePath } from '../../src/server/openapi/operation.ts';

/** The cells of all table rows of a page whose first or second cell is code; the code marks are taken off. */
function rowsOf(page: string): string[][] {
  const text = readFileSync(new URL(`../../docs/reference/${page}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => /^\| (?:\w+ \| )?`/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    );
}

test('every endpoint has its line in the order of the table, and every line its endpoint', () => {
  const rows = rowsOf('endpoints.md').map(([method, path]) => ({ method, path }));
  const endpoints = [...Object.values(SERVED), ...Object.values(PAGE)];
  expect(rows).toEqual(endpoints.map(({ method, path }) => ({ method, path })));
});

test('every line of an endpoint links the test that sends to it', () => {
  const untested = rowsOf('endpoints.md').filter(([, path = '', , link = '']) => {
    const [, file = ''] = /\]\((.*)\)/.exec(link) ?? [];
    const text = readFileSync(new URL(`../../docs/reference/${file}`, import.meta.url), 'utf8');
    const name = Object.entries(SERVED).find(([, endpoint]) => endpoint.path === path)?.[0] ?? '';
    // The second call fails when the first has not covered the endpoint.
    // Those of the page are held against the document wherever tests ask them.
    if (path.startsWith('/x/')) return text === '';
    const isSent = new RegExp(`\\.(?:post|get)\\(\\s*'${examplePath(path)}'`).test(text);
    return !isSent || !text.includes(`leavesNothingOut('${name}')`);
  });
  expect(untested).toEqual([]);
});

test('every error code has its line with status and whether a retry helps', () => {
  const rows = rowsOf('errors.md').map((cells) =>
    cells.length === 4
      ? { code: cells[0], status: Number(cells[1]), retry: cells[2] }
      : { code: cells[0], status: 0, retry: cells[1] },
  );
  const codes = Object.entries(ERROR_CODES).map(([code, { status, isRetryable }]) => ({
    code,
    status,
    retry: isRetryable ? 'yes' : 'no',
  }));
  expect(rows).toEqual(codes);
});

test('every limit has its line with its default', () => {
  const rows = rowsOf('limits.md').map(([key, value]) => [key, Number(value)]);
  expect(rows).toEqual(Object.entries(DEFAULT_LIMITS));
});

test('every limit of captured values has its line with its default', () => {
  const rows = rowsOf('options.md').filter(([key = '']) => Object.hasOwn(DEFAULT_CAPTURE_LIMITS, key));
  expect(rows.map(([key, value]) => [key, Number(value)])).toEqual(Object.entries(DEFAULT_CAPTURE_LIMITS));
});

test('every option of an instrumented function has its line', () => {
  expect(rowsOf('instrument.md').map(([option]) => option)).toEqual(Object.keys(INSTRUMENT_RULES));
});
