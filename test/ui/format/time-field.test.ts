import { afterEach, expect, test } from 'vitest';
import { fieldText, instantIn } from '../../../src/ui/format/time-field.ts';
import { formatClock, showInUtc } from '../../../src/ui/format/time.ts';

const AT = Date.UTC(2026, 10, 23, 14, 9, 41);

afterEach(() => showInUtc(false));

test.each([true, false])('a field has the clock that is shown, and is read by it (UTC: %s)', (isUtc) => {
  showInUtc(isUtc);
  expect(fieldText(AT)).toContain(`T${formatClock(AT)}`);
  expect(instantIn(fieldText(AT))).toBe(AT);
});

test('under UTC it is that of no other zone', () => {
  showInUtc(true);
  expect(fieldText(AT)).toBe('2026-11-23T14:09:41');
  expect(instantIn('2026-11-23T14:09:41')).toBe(AT);
  expect(instantIn('')).toBeNaN();
});
