import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkRoom } from '../../../src/cli/checks/room.ts';
import { ownerOf } from '../../../src/spool/owner.ts';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const LIMIT = 1_000_000;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'room-'));
  mkdirSync(join(home, 'spool'));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

function leave(minutesAgo: number, owner: string, bytes = 100): void {
  const time = NOW - minutesAgo * 60_000;
  writeFileSync(join(home, 'spool', `${time}-0000abcd.${owner}.jsonl`), 'x'.repeat(bytes));
}

function check(bytes = LIMIT, files: number | undefined = 1000) {
  const room = { bytes, totalBytes: 10 * LIMIT, files, mountedAt: '/disk' };
  return checkRoom(home, { limitBytes: LIMIT, now: NOW, freeRoom: () => room });
}

test('without records there is all of the room', () => {
  const nothing = { level: 'ok', about: 'spool', message: '0 B of 1.0 MB, no records' };
  const room = { level: 'ok', about: 'disk', message: 'has room for all records that may wait' };
  expect(check()).toEqual([nothing, room]);
  rmSync(join(home, 'spool'), { recursive: true });
  expect(check()).toEqual([nothing, room]);
});

test('records of running and of ended programs are told apart, without a warning', () => {
  leave(5, ownerOf());
  leave(4, ownerOf());
  leave(3, ownerOf(process.ppid));
  expect(check()[0]).toEqual({
    level: 'ok',
    about: 'spool',
    message: '300 B of 1.0 MB: 3 segments of 2 running programs; the oldest began 5 m 00 s ago',
  });
  leave(90, 'free');
  leave(2, '4194305-1');
  expect(check()[0]?.message).toBe(
    '500 B of 1.0 MB: 3 segments of 2 running programs, 2 segments of ended ones; the oldest began 1 h 30 m ago',
  );
});

test('one is one', () => {
  leave(1, ownerOf());
  expect(check()[0]?.message).toContain(': 1 segment of 1 running program; ');
});

test.each([
  [799_999, 'ok'],
  [800_000, 'warning'],
  [1_200_000, 'warning'],
])('%i bytes of a million: %s', (bytes, level) => {
  leave(1, 'free', bytes);
  expect(check()[0]?.level).toBe(level);
});

test('a disk with less room than records may take is a warning', () => {
  leave(1, 'free', 400_000);
  expect(check(600_000)[1]).toMatchObject({ level: 'ok' });
  expect(check(599_999)[1]).toEqual({
    level: 'warning',
    about: 'disk',
    message: '600.0 kB are free, and 600.0 kB more records may wait',
    advice: 'Make room, set SPOOR_HOME to a folder of another disk, or lower SPOOR_SPOOL_BYTES',
  });
});

test.each([
  [65_535, 1000, 'the disk at /disk (65.5 kB of 10.0 MB free) is full: no record can wait there'],
  [LIMIT, 0, 'the disk at /disk (1.0 MB of 10.0 MB free, and no file more) is full: no record can wait there'],
])('a disk that takes nothing is a problem: %i bytes, %i files', (bytes, files, message) => {
  expect(check(bytes, files)[1]).toMatchObject({ level: 'problem', about: 'disk', message });
});

test('more than the limit asks for no more room', () => {
  leave(1, 'free', 1_200_000);
  expect(check(0)[1]).toMatchObject({ level: 'ok' });
});

test('a system that does not tell its room has no line about it', () => {
  expect(checkRoom(home, { limitBytes: LIMIT, now: NOW, freeRoom: () => undefined })).toHaveLength(1);
});

test('the system is asked beside a folder that is not there yet', () => {
  const about = checkRoom(join(home, 'later', 'deeper'), { limitBytes: 1, now: NOW }).map((finding) => finding.about);
  expect(about).toEqual(['spool', 'disk']);
});
