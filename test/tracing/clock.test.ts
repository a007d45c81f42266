import { expect, test, vi } from 'vitest';
import { spanIdOf } from '../../src/protocol/values/id.ts';
import { createCallId, createTraceId } from '../../src/tracing/record/call-id.ts';
import { createClock, isoText } from '../../src/tracing/record/clock.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

function fakeClock() {
  const now = { monotonicMs: 1000, wallMs: AT };
  const clock = createClock({ monotonicMs: () => now.monotonicMs, wallMs: () => now.wallMs });
  const read = () => clock.now() + clock.offset;
  return { now, clock, read };
}

test('times follow the monotonic clock in microseconds', () => {
  const { now, read } = fakeClock();
  expect(read()).toBe(AT * 1000);
  now.monotonicMs += 0.25;
  expect(read()).toBe(AT * 1000 + 250);
});

test('a jump of the wall clock is taken over within a second, in both directions', () => {
  const { now, clock, read } = fakeClock();
  const started = clock.now();
  for (const jump of [3_600_000, -7_200_000]) {
    now.wallMs += jump + 2000;
    now.monotonicMs += 2000;
    expect(read()).toBe(now.wallMs * 1000);
  }
  expect(clock.now() - started).toBe(4_000_000);
});

test('a process that was stopped, monotonic clock and all, knows the time at its next reading when it was told to look', () => {
  const { now, clock, read } = fakeClock();
  read();
  now.wallMs += 3_600_000;
  expect(read()).toBe(AT * 1000);
  clock.checkNext();
  expect(read()).toBe(now.wallMs * 1000);
});

test('small differences do not move the anchor', () => {
  const { now, read } = fakeClock();
  read();
  now.wallMs += 2003;
  now.monotonicMs += 2000;
  expect(read()).toBe((AT + 2000) * 1000);
});

test.each([
  [AT * 1000, '2026-01-02T03:04:05.006000Z'],
  [AT * 1000 + 7, '2026-01-02T03:04:05.006007Z'],
  [AT * 1000 + 999, '2026-01-02T03:04:05.006999Z'],
  [(AT + 1) * 1000, '2026-01-02T03:04:05.007000Z'],
])('%d reads %s', (micros, text) => {
  expect(isoText(micros)).toBe(text);
});

test('ids grow strictly, within a millisecond and when the clock goes back', () => {
  const later = Date.now() * 1000 + 60_000_000;
  const ids = Array.from({ length: 10_000 }, (_, index) => createCallId(later - index * 1000));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
    true,
  );
});

test('the random part of ids differs, and the span id is made of it', () => {
  const spans = Array.from({ length: 1000 }, () => spanIdOf(createCallId(AT * 1000)));
  expect(new Set(spans).size).toBe(1000);
  expect(spans.every((span) => /^[89ab][0-9a-f]{15}$/.test(span))).toBe(true);
});

test('a trace id begins with its time', () => {
  expect(createTraceId(AT * 1000)).toMatch(
    new RegExp(`^${AT.toString(16).padStart(12, '0')}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`),
  );
});

test('two copies of the package have one clock, so that their times are in the order of events', async () => {
  const { clock } = await import('../../src/tracing/record/clock.ts');
  vi.resetModules();
  const copy = await import('../../src/tracing/record/clock.ts');
  expect(copy.isoText).not.toBe(isoText);
  expect(copy.clock).toBe(clock);
});
