import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  readServerFile,
  removeServerFile,
  type ServerFile,
  serverFilePath,
  writeServerFile,
} from '../../src/spool/server-file.ts';

const SERVER: ServerFile = { url: 'http://127.0.0.1:7717', apiKey: 'k', pid: process.pid, version: '0.1.0' };
let home: string;

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'server-file-')), 'home');
});

afterEach(() => {
  rmSync(join(home, '..'), { recursive: true });
});

test('what was written is read, and only its owner can', () => {
  writeServerFile(home, SERVER);
  expect(readServerFile(home)).toEqual(SERVER);
  expect(statSync(serverFilePath(home)).mode & 0o777).toBe(0o600);
  expect(readdirSync(home)).toEqual(['server.json']);
});

test('a file readable by others is replaced by one that is not', () => {
  writeServerFile(home, SERVER);
  chmodSync(serverFilePath(home), 0o644);
  writeServerFile(home, { ...SERVER, apiKey: 'new' });
  expect(readServerFile(home)?.apiKey).toBe('new');
  expect(statSync(serverFilePath(home)).mode & 0o777).toBe(0o600);
});

test('a service whose process is gone does not run', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  writeServerFile(home, { ...SERVER, pid });
  expect(readServerFile(home)).toBeUndefined();
});

test.each(['', '{', '[]', '{"url":"x"}', '{"url":"nonsense","apiKey":"k","pid":1,"version":"0"}'])(
  'a file that says %j names no service',
  (text) => {
    writeServerFile(home, SERVER);
    writeFileSync(serverFilePath(home), text);
    expect(readServerFile(home)).toBeUndefined();
  },
);

test('no file names no service', () => {
  expect(readServerFile(home)).toBeUndefined();
});

test('a service removes its own file, not that of its successor', () => {
  writeServerFile(home, SERVER);
  removeServerFile(home, process.pid + 1);
  expect(readServerFile(home)).toEqual(SERVER);
  removeServerFile(home);
  expect(readServerFile(home)).toBeUndefined();
});
