import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { closeToOthers, makePrivate } from '../../src/storage/private-file.ts';

const hasModes = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;
const NOBODY_KNOWN = 54_321;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function openFile(path: string): string {
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  return path;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

test.runIf(hasModes)('a file of our own is closed to others, one that is not there is none', () => {
  const folder = newFolder();
  const path = openFile(join(folder, 'own'));
  makePrivate(path);
  expect(modeOf(path)).toBe(0o600);
  expect(closeToOthers(join(folder, 'none'))).toBe(false);
});

test.runIf(hasModes)('what a link leads to stays as it is', () => {
  const folder = newFolder();
  const path = join(folder, 'link');
  const targets = [openFile(join(folder, 'file')), join(folder, 'folder')];
  mkdirSync(join(folder, 'folder'), { mode: 0o755 });
  for (const target of targets) {
    const before = modeOf(target);
    symlinkSync(target, path);
    makePrivate(path);
    expect([closeToOthers(path), modeOf(target)]).toEqual([false, before]);
    rmSync(path);
  }
});

test.runIf(hasModes && isRoot)('a file of another user stays as it is', () => {
  const path = openFile(join(newFolder(), 'theirs'));
  chownSync(path, NOBODY_KNOWN, 0);
  makePrivate(path);
  expect([closeToOthers(path), modeOf(path)]).toEqual([false, 0o644]);
});

test.skipIf(hasModes && isRoot)('SKIPPED without the right to give files away: files of other users', () => {
  expect(hasModes && isRoot).toBe(false);
});
