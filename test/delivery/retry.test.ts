import { expect, test } from 'vitest';
import { judge, parseRetryAfter, retryDelayMs } from '../../src/delivery/retry.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function verdict(status: number, body = '{"reason":"why"}', headers: Record<string, string> = {}) {
  return judge({ status, headers, body }, 'res', NOW);
}

test('delays are between nothing and a bound that doubles from 0.5 to 30 seconds', () => {
  expect([1, 2, 3, 7, 8, 50].map((failures) => retryDelayMs(failures, () => 1))).toEqual([
    500, 1000, 2000, 30_000, 30_000, 30_000,
  ]);
  expect(retryDelayMs(3, () => 0)).toBe(0);
});

test('Retry-After is seconds or a date', () => {
  expect(parseRetryAfter('7', NOW)).toBe(7000);
  expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', NOW)).toBe(9000);
  expect(parseRetryAfter('Thu, 01 Jan 2015 00:00:09 GMT', NOW)).toBe(0);
  expect(parseRetryAfter('soon', NOW)).toBeUndefined();
  expect(parseRetryAfter(undefined, NOW)).toBeUndefined();
});

test('the date of Retry-After is one of the clock that the answer tells', () => {
  const at = { 'retry-after': 'Thu, 01 Jan 2015 00:00:09 GMT', date: 'Thu, 01 Jan 2015 00:00:02 GMT' };
  expect(verdict(503, '', at)).toMatchObject({ afterMs: 7000 });
  expect(verdict(503, '', { ...at, date: 'now' })).toMatchObject({ afterMs: 0 });
});

test.each([408, 425, 429, 500, 502, 503, 504])('%i is worth another attempt', (status) => {
  expect(verdict(status)).toEqual({ kind: 'retry', reason: `${status}, why` });
  expect(verdict(status, '', { 'retry-after': '2' })).toMatchObject({ kind: 'retry', afterMs: 2000 });
});

test.each([
  [401, 'key-refused'],
  [403, 'key-refused'],
  [404, 'wrong-address'],
  [302, 'wrong-address'],
] as const)('%i is %s', (status, problem) => {
  expect(verdict(status)).toMatchObject({ kind: 'shut-out', problem });
});

test.each([400, 409, 413, 415, 422])('%i refuses this body', (status) => {
  expect(verdict(status)).toEqual({ kind: 'refused', reason: `${status}, why` });
});

test('only the expected JSON acknowledges', () => {
  expect(verdict(200, '{"res":[]}')).toEqual({ kind: 'accepted' });
  for (const body of ['<html>Please log in</html>', '', '[]', 'null', '{"ok":true}']) {
    expect(verdict(200, body)).toMatchObject({ kind: 'shut-out', problem: 'wrong-address' });
  }
});

test.each([
  ['https://elsewhere', 'https://elsewhere'],
  ['https://user:word@login.example/in?state=abc#part', 'https://…@login.example/in?…'],
  ['/in?back=user@host', '/in?…'],
])('a redirect to "%s" is named, without what may be secret', (location, named) => {
  expect(verdict(307, '', { location })).toMatchObject({ reason: `307, redirected to "${named}"` });
});
