import { expect, test } from 'vitest';
import { wantsColor } from '../../../src/cli/output/colors.ts';

test.each([
  [{}, true, true],
  [{}, false, false],
  [{}, undefined, false],
  [{ CI: 'true' }, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
])('%j at a terminal: %s → colour: %s', (environment, isTerminal, expected) => {
  expect(wantsColor(environment, isTerminal)).toBe(expected);
});
