import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantText, isTime, periodOf } from '../../src/filter/instant.ts';

function periodText(text: string, timeZone: string): string {
  const { from, to } = periodOf(text, timeZone);
  return `${instantText(from)} ${instantText(to)}`;
}

test.each([
  ['2026-11-20', 'UTC', '2026-11-20T00:00:00Z 2026-11-21T00:00:00Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00Z 2026-11-20T18:30:00Z'],
  ['2026-11-20T10:00', 'America/New_York', '2026-11-20T15:00:00Z 2026-11-20T15:01:00Z'],
  ['2026-11-20T10:00:05', 'UTC', '2026-11-20T10:00:05Z 2026-11-20T10:00:06Z'],
  ['2026-11-20T10:00:05.25', 'UTC', '2026-11-20T10:00:05.250000Z 2026-11-20T10:00:05.250001Z'],
  ['2026-11-20T10:00Z', 'Asia/Tokyo', '2026-11-20T10:00:00Z 2026-11-20T10:01:00Z'],
  ['2026-11-20T10:00+02:00', 'Asia/Tokyo', '2026-11-20T08:00:00Z 2026-11-20T08:01:00Z'],
])('%s in %s is %s', (text, timeZone, expected) => {
  expect(periodText(text, timeZone)).toBe(expected);
});

test('days on which clocks change have 23 and 25 hours', () => {
  expect(periodText('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00Z 2026-03-29T22:00:00Z');
  expect(periodText('2026-10-25', 'Europe/Berlin')).toBe('2026-10-24T22:00:00Z 2026-10-25T23:00:00Z');
});

test('a time that is there twice is the first, one that is skipped the hour after', () => {
  expect(periodText('2026-10-25T02:30', 'Europe/Berlin')).toMatch(/^2026-10-25T00:30:00Z/);
  expect(periodText('2026-03-29T02:30', 'Europe/Berlin')).toMatch(/^2026-03-29T01:30:00Z/);
});

test('a local time is what clocks there show', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia');
  const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(zones, days, (timeZone, day) => {
      const local = day.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
      const { from } = periodOf(local, timeZone);
      expect(new Date(from / 1000).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')).toBe(local);
    }),
  );
});

test('only what exists is a time', () => {
  expect(
    ['2026-02-30', '2026-13-01', '2026-11-20T25:00', '2026-11-20 10:00', 'yesterday', '0100-01-01'].filter(isTime),
  ).toEqual([]);
  expect(['2026-02-28', '2026-11-20t10:00z'].filter(isTime)).toHaveLength(2);
});
