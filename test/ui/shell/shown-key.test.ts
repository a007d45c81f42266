// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { printKey } from '../../../src/ui/shell/shown-key.ts';

test.each([
  ['Shift+ArrowLeft', '⇧←'],
  ['PageDown', 'PgDn'],
  ['g c', 'g c'],
  ['Escape', 'Esc'],
  ['X', 'X'],
])('%s is shown as it stands on a keyboard: %s', (keys, shown) => {
  expect(printKey(keys)).toBe(shown);
});
