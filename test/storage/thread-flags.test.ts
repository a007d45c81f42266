import { expect, test } from 'vitest';
import { threadFlags } from '../../src/storage/thread-flags.ts';

test('threads keep all flags but the one about programs that are no files', () => {
  expect(threadFlags(['--input-type=module', '--no-warnings', '-e', 'x'])).toEqual({
    execArgv: ['--no-warnings', '-e', 'x'],
  });
  expect(threadFlags(['--input-type', 'module', '--import', './x.js'])).toEqual({ execArgv: ['--import', './x.js'] });
});

test('threads are told nothing where all is to be as in the process', () => {
  expect(threadFlags([])).toEqual({});
  expect(threadFlags(['--max-old-space-size=500'])).toEqual({});
});
