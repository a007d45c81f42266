import { describe, expect, test } from 'vitest';
import { formatRun, isRunId, mayBeginRunId, type ProcessRun, parseRun } from '../../src/protocol/process-run.ts';

const RUN: ProcessRun = {
  id: 'p0f3c9a1b2c3d4e5f',
  startedAt: 1_764_158_400_000_000,
  pid: 4711,
  host: 'build 7; "ü"',
  version: '0.1.0-beta+1',
  commit: '9f2c3d4e5f60718293a4b5c6d7e8f90123456789',
  isDirty: true,
};

test('a run is read as it was written', () => {
  expect(parseRun(formatRun(RUN))).toEqual(RUN);
  expect(parseRun(formatRun({ ...RUN, isDirty: false }))?.isDirty).toBe(false);
});

test('all but the id may be missing', () => {
  const alone = { id: RUN.id };
  expect(formatRun(alone)).toBe(`id=${RUN.id}`);
  expect(parseRun(formatRun(alone))).toEqual(alone);
});

test('a header has only characters that a header may have', () => {
  expect(formatRun(RUN)).toMatch(/^[\w.;=%!~*'()+-]+$/);
});

test('parts that are not known are left alone', () => {
  expect(parseRun(`later=1;${formatRun(RUN)};more=a=b;;`)).toEqual(RUN);
});

describe('what makes no sense is left out', () => {
  test.each([
    'started=soon',
    'started=99999999999999999',
    'pid=-1',
    'pid=0',
    'host=%zz',
    `host=${'h'.repeat(256)}`,
    `version=${'v'.repeat(101)}`,
    'commit=HEAD',
    'dirty=yes',
  ])('%s', (part) => {
    expect(parseRun(`id=${RUN.id};${part}`)).toEqual({ id: RUN.id });
  });
});

test.each(['', 'id=', 'id=nightly', 'pid=4711', `id=${RUN.id};${'x'.repeat(3000)}`])('%s is no run', (text) => {
  expect(parseRun(text)).toBeUndefined();
});

test('ids of runs are told from those that people give', () => {
  expect(isRunId(RUN.id)).toBe(true);
  expect(['nightly', 'p1', RUN.id.toUpperCase(), `${RUN.id}0`, RUN.id.slice(1)].map(isRunId)).not.toContain(true);
  expect(mayBeginRunId('p0f3c')).toBe(true);
  expect(mayBeginRunId('prod')).toBe(false);
});
