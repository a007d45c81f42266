import { afterEach, expect, test } from 'vitest';
import { fieldText, instantIn } from '../../../src/ui/format/time-field.ts';
import { formatClock, showInUtc } from '../../../src/ui/format/time.ts';

const AT = Date.UTC(2026, 10, 23, 14, 9, 41);

afterEach(() => showInUtc(false));

test.each([true, false])('a field has the clock that is shown, and is read by it (UTC: %s)', (isUtc) => {
  showInUtc(isUtc);
  expect(fieldText(AT)).toContain(` ${formatClock(AT)}`);
  expect(instantIn(fieldText(AT))).toBe(AT);
});

test('under UTC it is that of no other zone', () => {
  showInUtc(true);
  expect(fieldText(AT)).toBe('2026-11-23 14:09:41');
  expect(instantIn('2026-11-23T14:09:41')).toBe(AT);
});

test('seconds and the time of a day may be left out', () => {
  showInUtc(true);
  expect(instantIn(' 2026-11-23 14:09 ')).toBe(AT - 41_000);
  expect(instantIn('2026-11-23')).toBe(Date.UTC(2026, 10, 23));
});

test.each(['', 'soon', '11/23/2026, 02:09 PM', '2026-02-31', '2026-13-01', '2026-11-23 25:00', '2026-11-23 24:00'])(
  'it is no time: %j',
  (text) => {
    expect(instantIn(text)).toBeNaN();
  },
);
