import { expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/protocol/error.ts';
import { judge, retryDelayMs } from '../../src/delivery/transport/retry.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function verdict(status: number, body = '{"reason":"why"}', headers: Record<string, string> = {}) {
  return judge({ status, headers, body }, (answer) => 'res' in answer, NOW);
}

test('delays are between nothing and a bound that doubles from 0.5 to 30 seconds', () => {
  expect([1, 2, 3, 7, 8, 50].map((failures) => retryDelayMs(failures, () => 1))).toEqual([
    500, 1000, 2000, 30_000, 30_000, 30_000,
  ]);
  expect(retryDelayMs(3, () => 0)).toBe(0);
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

test.each(['301', '86400', '9'.repeat(400), 'Thu, 01 Jan 2099 00:00:00 GMT'])(
  'Retry-After "%s" is believed for 5 minutes',
  (asked) => {
    expect(verdict(503, '', { 'retry-after': asked })).toMatchObject({ afterMs: 300_000 });
  },
);

/** Codes that are on the wire, and what they are about. */
const CODES = Object.entries(ERROR_CODES).filter(([, { status }]) => status > 0);
const OF_KEY = ['unauthenticated', 'forbidden'];
const OF_WAY = ['unknown_path', 'method_not_allowed', 'unsupported_media_type'];

test.each(CODES.map(([code, { status }]) => [code, status] as const))('the word "%s" of a service', (code, status) => {
  const kind = status >= 429 ? 'retry' : [...OF_KEY, ...OF_WAY].includes(code) ? 'shut-out' : 'refused';
  expect(verdict(status, JSON.stringify({ reason: 'why', error_code: code }))).toMatchObject({
    kind,
    reason: `${status}, why`,
  });
});

/** Bodies of those who are no trace service, among them one whose codes have the same key. */
const FOREIGN = ['', '<html><title>Log in</title></html>', '{"error":"no"}', '{"error_code":"network_error"}', '[]'];

test.each(Array.from({ length: 100 }, (_, index) => 400 + index))(
  '%i drops nothing without a code of ours',
  (status) => {
    for (const body of [...FOREIGN, '{"reason":"why","error_code":"denied"}']) {
      expect(verdict(status, body).kind).toBe([408, 425, 429].includes(status) ? 'retry' : 'shut-out');
    }
  },
);

test.each(Array.from({ length: 300 }, (_, index) => 100 + index))('%i acknowledges nothing by itself', (status) => {
  for (const body of FOREIGN) expect(verdict(status, body)).toMatchObject({ kind: 'shut-out' });
});

test('an answer is named by what people know it by', () => {
  const page = '<html>\n<title>\nLog in at Example </title>';
  expect(verdict(402, page, { 'content-type': 'text/html', server: 'gate/1' })).toMatchObject({
    reason: '402, text/html, page "Log in at Example", from "gate/1"',
  });
  expect(verdict(405, '')).toMatchObject({ reason: '405, no content type' });
});

test('an answer is named as fast however long it is', () => {
  const headers = { 'content-type': 'text/html' };
  for (const part of ['<title ', '<title', '<title>', '<', '<title x="', '{', ' ']) {
    const before = process.cpuUsage();
    expect(verdict(402, part.repeat(2_000_000), headers)).toMatchObject({ kind: 'shut-out' });
    const { user, system } = process.cpuUsage(before);
    // Seconds for a hundredth of it where the time grows with the square; others on the machine cost it nothing.
    expect((user + system) / 1000).toBeLessThan(4000);
  }
});

test('a service that names items is understood', () => {
  const detail = [{ loc: ['body', 'batch', 3, 'req'], msg: 'no id', type: 'missing' }];
  const body = JSON.stringify({ reason: 'why', error_code: 'validation_error', detail });
  expect(verdict(422, body)).toMatchObject({
    kind: 'refused',
    items: new Map([[3, { message: 'no id', type: 'missing' }]]),
  });
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
