import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensurePrivateFolder, stateFolder } from '../../src/spool/state-folder.ts';

test('SPOOR_HOME names the state folder', () => {
  expect(stateFolder({ SPOOR_HOME: '/somewhere/else' })).toBe('/somewhere/else');
});

test('without it the state folder is .spoor in the home folder', () => {
  expect(stateFolder({})).toBe(join(homedir(), '.spoor'));
  expect(stateFolder({ SPOOR_HOME: '' })).toBe(join(homedir(), '.spoor'));
});

test('a new folder is for its owner only, one that exists keeps its mode', () => {
  const parent = mkdtempSync(join(tmpdir(), 'state-'));
  ensurePrivateFolder(join(parent, 'new'));
  mkdirSync(join(parent, 'old'));
  // Whatever is masked here.
  chmodSync(join(parent, 'old'), 0o755);
  ensurePrivateFolder(join(parent, 'old'));
  expect(statSync(join(parent, 'new')).mode & 0o777).toBe(0o700);
  expect(statSync(join(parent, 'old')).mode & 0o777).toBe(0o755);
  rmSync(parent, { recursive: true });
});

test('folders above a new folder are made too', () => {
  const parent = mkdtempSync(join(tmpdir(), 'state-'));
  ensurePrivateFolder(join(parent, 'above', 'new'));
  expect(statSync(join(parent, 'above', 'new')).isDirectory()).toBe(true);
  rmSync(parent, { recursive: true });
});

test.skipIf(!existsSync('/proc/self'))('a place that takes no folders is an error, not an endless search', () => {
  expect(() => ensurePrivateFolder('/proc/no-folder/spool')).toThrow(/ENOENT/);
});
