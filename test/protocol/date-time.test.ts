import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDateTime, parseDateOrDateTime, parseDateTime } from '../../src/protocol/values/date-time.ts';

test.each([
  ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
  ['2026-01-01T12:00:00', '2026-01-01T12:00:00Z'],
  ['2026-01-01t12:00:00z', '2026-01-01T12:00:00Z'],
  ['2026-01-01 12:00:00+02:00', '2026-01-01T10:00:00Z'],
  ['2026-01-01T00:30:00-0130', '2026-01-01T02:00:00Z'],
  ['2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00Z'],
  ['2026-01-01T12:00:00.5Z', '2026-01-01T12:00:00.500000Z'],
  ['2026-01-01T12:00:00.1234567899Z', '2026-01-01T12:00:00.123456Z'],
  ['2024-02-29T23:59:59.999999Z', '2024-02-29T23:59:59.999999Z'],
  ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
])('%s is the instant %s', (text, printed) => {
  expect(formatDateTime(parseDateTime(text) ?? Number.NaN)).toBe(printed);
});

test.each([
  '',
  'now',
  '2026-01-01',
  '2026-01-01T12:00Z',
  '2026-13-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T12:60:00Z',
  '2026-01-01T12:00:00.Z',
  '2026-01-01T12:00:00+25:00',
  '1767268800',
  '2026-01-01T12:00:00Zx',
  '9999-01-01T00:00:00Z',
])('%j is no date-time', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

test('every day is the one of the calendar of the system, and no other day exists', () => {
  const wrong: string[] = [];
  for (let year = 1960; year < 2255; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T01:02:03.004Z`;
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        const wanted = isReal ? (date.getTime() + 3_723_004) * 1000 : undefined;
        if (parseDateTime(text) !== wanted) wrong.push(text);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test('the usual form of an instant and others are read the same', () => {
  const characters = [...'0123456789-:TZtz.+ x'];
  const usual = '2026-01-31T23:59:59.123456Z';
  for (const length of [20, 22, 24, 27]) {
    const text = `${usual.slice(0, length - 1).replace(/\.$/, '')}Z`;
    for (let index = 0; index < text.length; index++) {
      for (const character of characters) {
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        // With more digits than microseconds have it goes the long way.
        const slow = changed.replace(
          /(?:\.(\d*))?Z$/,
          (_all, digits: string | undefined) => `.${(digits ?? '').padEnd(8, '0')}Z`,
        );
        const isFractionless = changed.endsWith('.Z');
        expect([changed, parseDateTime(changed)]).toEqual([changed, isFractionless ? undefined : parseDateTime(slow)]);
      }
    }
  }
});

test('a date alone is midnight in UTC where queries allow it', () => {
  expect(parseDateOrDateTime('1970-01-02')).toBe(86_400_000_000);
  expect(parseDateOrDateTime('1970-01-01T00:00:01Z')).toBe(1_000_000);
  expect(parseDateOrDateTime('1970-02-30')).toBeUndefined();
});

test('every microsecond is printed and read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8_990_000_000_000_000, max: 8_990_000_000_000_000 }), (micros) => {
      expect(parseDateTime(formatDateTime(micros))).toBe(micros);
    }),
  );
});
