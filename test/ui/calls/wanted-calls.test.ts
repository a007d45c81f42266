import { expect, test } from 'vitest';
import { printSpan, rangeOf } from '../../../src/ui/calls/filter/range.ts';
import { wantedCalls } from '../../../src/ui/calls/list/wanted-calls.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const options = { project: 'acme/shop', q: '', t: '24h', roots: true, now };

test('the range of the page bounds the calls, and all time does not', () => {
  expect(wantedCalls(options).selection).toEqual({
    project_id: 'acme/shop',
    started_after: '2026-11-22T12:00:00.000Z',
    roots_only: true,
  });
  expect(wantedCalls({ ...options, t: 'all', roots: false }).selection).toEqual({ project_id: 'acme/shop' });
});

test('a start in the filter counts instead of the range', () => {
  const { selection } = wantedCalls({ ...options, q: 'started:1h' });
  expect(Date.parse(selection?.started_after ?? '')).toBe(now - 3_600_000);
});

test('a filter that makes no sense asks for nothing', () => {
  const { selection, errors } = wantedCalls({ ...options, q: 'latency>abc' });
  expect(selection).toBeUndefined();
  expect(errors[0]?.offset).toBe(8);
});

test('two instants are a range, in either spelling of the address', () => {
  const text = printSpan(now - 1000, now);
  expect(rangeOf(text, now + 5000)).toMatchObject({ after: now - 1000, before: now });
  expect(rangeOf(printSpan(now, now - 1000), now).before).toBeUndefined();
  expect(rangeOf('nonsense', now).after).toBe(now - 86_400_000);
});
