import { expect, test } from 'vitest';
import { printKey } from '../../../src/ui/shell/shown-key.ts';

test.each([
  ['Shift+ArrowLeft', '⇧←'],
  ['PageDown', 'PgDn'],
  ['Escape', 'Esc'],
  ['X', 'X'],
  ['Alt+j', 'Alt J'],
  ['Mod+Alt+j', 'Ctrl Alt J'],
  ['Mod+k', 'Ctrl K'],
  ['Mod+.', 'Ctrl .'],
  ['Mod+Enter', 'Ctrl ↵'],
  ['Shift+F5', '⇧F5'],
  [' ', 'Space'],
  ['Shift+ ', '⇧Space'],
  ['Mod+ ', 'Ctrl Space'],
  ['g c', 'g c'],
])('%s is shown as it stands on a keyboard: %s', (keys, shown) => {
  expect(printKey(keys)).toBe(shown);
});
