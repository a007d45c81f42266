import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/protocol/error.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['2', 2000],
  ['0', 0],
  ['-5', 0],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 7000],
  ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
])('Retry-After "%s" asks for %i ms', (header, expected) => {
  expect(parseRetryAfter(header, NOW)).toBe(expected);
});

test.each([null, undefined, '', 'soon'])('Retry-After %j says nothing', (header) => {
  expect(parseRetryAfter(header, NOW)).toBeUndefined();
});
