import { expect, test } from 'vitest';
import type { ProcessRun } from '../../src/protocol/process-run.ts';
import { RunNotes } from '../../src/server/ingest/run-notes.ts';
import type { RunFacts } from '../../src/storage/contract/runs.ts';

const ID = 'p0f3c9a1b2c3d4e5f';
const HOUR_MS = 3_600_000;

/** The main thread of a program, which has asked git, and one of its workers. */
const MAIN: ProcessRun = { id: ID, startedAt: 1000, pid: 7, version: '0.1.0', isDirty: true };
const WORKER: ProcessRun = { id: ID, startedAt: 2000, pid: 7, version: '0.1.0' };

/** A store that keeps what is noted; `fail` is asked before. */
function storeOf(fail: () => Error | undefined = () => undefined) {
  const noted: RunFacts[] = [];
  const note = async (run: RunFacts) => {
    const error = fail();
    if (error !== undefined) throw error;
    noted.push(run);
  };
  const nobody = async () => [];
  return { noted, store: { note, list: nobody, sums: nobody } };
}

test('threads of a process that do not say the same are noted once', async () => {
  const { noted, store } = storeOf();
  const notes = new RunNotes(store);
  for (const run of [WORKER, MAIN, WORKER, MAIN, WORKER]) await notes.note(run, ['a/b']);
  expect(noted).toEqual([
    { project_id: 'a/b', id: ID, started_at: 2000, pid: 7, version: '0.1.0' },
    { project_id: 'a/b', id: ID, started_at: 1000, pid: 7, version: '0.1.0', is_dirty: true },
  ]);
});

test('a worker that comes after the main thread adds nothing', async () => {
  const { noted, store } = storeOf();
  const notes = new RunNotes(store);
  for (const run of [MAIN, WORKER, MAIN]) await notes.note(run, ['a/b']);
  expect(noted).toHaveLength(1);
});

test('requests at once wait for one note', async () => {
  const { noted, store } = storeOf();
  const notes = new RunNotes(store);
  await Promise.all([notes.note(MAIN, ['a/b']), notes.note(MAIN, ['a/b']), notes.note(WORKER, ['a/b'])]);
  expect(noted).toHaveLength(1);
});

test('a run is noted in each project, after an hour once more, and when runs may have been removed', async () => {
  let now = 0;
  const { noted, store } = storeOf();
  const notes = new RunNotes(store, () => now);
  await notes.note(MAIN, ['a/b', 'a/c']);
  now = HOUR_MS - 1;
  await notes.note(MAIN, ['a/b']);
  expect(noted).toHaveLength(2);
  now = HOUR_MS;
  await notes.note(MAIN, ['a/b']);
  expect(noted).toHaveLength(3);
  await notes.whileRemoving(async () => {
    // It may be gone already, or go once more.
    for (let batch = 0; batch < 2; batch++) await notes.note(MAIN, ['a/b']);
  });
  expect(noted).toHaveLength(5);
  for (let batch = 0; batch < 2; batch++) await notes.note(MAIN, ['a/b']);
  expect(noted).toHaveLength(6);
  await expect(notes.whileRemoving(async () => Promise.reject(new Error('full')))).rejects.toThrow('full');
  for (let batch = 0; batch < 2; batch++) await notes.note(MAIN, ['a/b']);
  expect(noted).toHaveLength(7);
});

test('what could not be stored is said, and tried again', async () => {
  let error: Error | undefined = new Error('full');
  const { noted, store } = storeOf(() => error);
  const notes = new RunNotes(store);
  await expect(Promise.all([notes.note(MAIN, ['a/b']), notes.note(WORKER, ['a/b'])])).rejects.toThrow('full');
  error = undefined;
  await notes.note(MAIN, ['a/b']);
  expect(noted).toHaveLength(1);
});

test('of many runs the ones that were noted last are remembered', async () => {
  const { noted, store } = storeOf();
  const notes = new RunNotes(store);
  const runOf = (number: number): ProcessRun => ({ id: `p${String(number).padStart(16, '0')}` });
  for (let number = 0; number <= 10_000; number++) await notes.note(runOf(number), ['a/b']);
  await notes.note(runOf(10_000), ['a/b']);
  await notes.note(runOf(1), ['a/b']);
  expect(noted).toHaveLength(10_001);
  await notes.note(runOf(0), ['a/b']);
  expect(noted).toHaveLength(10_002);
});

test('without a run or a store nothing is noted', async () => {
  const { noted, store } = storeOf();
  await new RunNotes(store).note(undefined, ['a/b']);
  await new RunNotes(undefined).note(MAIN, ['a/b']);
  expect(noted).toEqual([]);
});

test('what could not be noted is given up when the service stops', async () => {
  const { noted, store } = storeOf(() => new Error('not now'));
  const stopping = new AbortController();
  const failures: unknown[] = [];
  const later = { stopping: stopping.signal, onFailed: (error: unknown) => void failures.push(error) };
  await new RunNotes(store).noteBeside(MAIN, ['a/b'], later);
  expect(failures).toEqual([]);
  stopping.abort();
  await expect.poll(() => failures).toEqual([new Error('not now')]);
  expect(noted).toEqual([]);
});
