import { expect, test } from 'vitest';
import { threadFlags } from '../../src/storage/thread-flags.ts';

test('threads keep all flags but the one about programs that are no files', () => {
  expect(threadFlags(['--input-type=module', '--no-warnings', '-e', 'x'])).toEqual(['--no-warnings', '-e', 'x']);
  expect(threadFlags(['--input-type', 'module', '--import', './x.js'])).toEqual(['--import', './x.js']);
  expect(threadFlags([])).toEqual([]);
});
