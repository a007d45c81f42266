import { expect, test } from 'vitest';
import { wantsLinks } from '../../../src/cli/output/links.ts';

test.each([
  [{}, true, false],
  [{ TERM: 'xterm-256color' }, true, false],
  [{ TERM: 'xterm-kitty' }, true, true],
  [{ TERM: 'xterm-kitty' }, false, false],
  [{ TERM: 'xterm-kitty' }, undefined, false],
  [{ TERM_PROGRAM: 'iTerm.app' }, true, true],
  [{ TERM_PROGRAM: 'vscode' }, true, true],
  [{ TERM_PROGRAM: 'vscode', CI: 'true' }, true, false],
  [{ TERM_PROGRAM: 'Apple_Terminal' }, true, false],
  [{ VTE_VERSION: '6800' }, true, true],
  [{ VTE_VERSION: '4601' }, true, false],
  [{ VTE_VERSION: '6800', TERM: 'dumb' }, true, false],
  [{ VTE_VERSION: '6800', TMUX: '/tmp/t' }, true, false],
  [{ VTE_VERSION: '6800', TERM: 'screen-256color' }, true, false],
  [{ WT_SESSION: 'x' }, true, true],
  [{ FORCE_HYPERLINK: '1' }, false, true],
  [{ FORCE_HYPERLINK: '0', TERM: 'xterm-kitty' }, true, false],
  [{ FORCE_HYPERLINK: 'False', TERM: 'xterm-kitty' }, true, false],
  [{ FORCE_HYPERLINK: '', TERM: 'xterm-kitty' }, true, true],
])('%j at a terminal: %s → links: %s', (environment, isTerminal, expected) => {
  expect(wantsLinks(environment, isTerminal)).toBe(expected);
});
