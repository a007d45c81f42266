import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Retention } from '../../src/server/retention.ts';
import type { PolicyStore, RetentionPolicy, RetentionStore } from '../../src/storage/contract/retention.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { PROJECT, startFact } from '../../src/testing/storage/facts.ts';

const STEPS = 10;

/** A store in which some steps find another old trace each, and which tells what it was asked for. */
function storeWith(policies: readonly (RetentionPolicy | undefined)[]) {
  const asked: string[] = [];
  let reads = 0;
  const store: RetentionStore = {
    projects: async () => {
      asked.push('projects');
      return [PROJECT];
    },
    timeForBytes: async () => undefined,
    removeBefore: async () => {
      asked.push('removal');
      const count = asked.length > STEPS ? 0 : 1;
      return { traces: count, calls: count };
    },
  };
  const policy = policyRead(async () => policies[Math.min(reads++, policies.length - 1)]);
  return { asked, store, policy };
}

function policyRead(get: PolicyStore['get']): PolicyStore {
  return { get, set: async () => undefined };
}

/** Whoever was not told is warned. */
const WARNED = { level: 40, kept: '7 days' };

function roundsOf(store: RetentionStore, { policy, given }: { policy?: PolicyStore; given?: RetentionPolicy } = {}) {
  const log: object[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => log.push(JSON.parse(line) as object) });
  const rounds = new Retention(store, given, { policy, removed: { traces: 0, calls: 0 }, logger, freshMs: 0 });
  onTestFinished(() => rounds.close());
  return { rounds, log };
}

test('what is still there is kept when somebody says meanwhile that it is to be', async () => {
  const week = { all: { days: 7 }, projects: {} };
  // Read for the round, for the project, and before each step.
  const { asked, store, policy } = storeWith([week, week, week, week, { all: {}, projects: {} }]);
  const { rounds, log } = roundsOf(store, { policy });
  await rounds.start();
  expect(log).toMatchObject([WARNED, { msg: 'old traces removed', project: PROJECT, traces: 2 }]);
  expect(asked).toEqual(['projects', 'removal', 'removal']);
});

test('where nobody has said anything nothing is looked for', async () => {
  const { asked, store, policy } = storeWith([undefined]);
  await roundsOf(store, { policy }).rounds.start();
  expect(asked).toEqual([]);
});

test('what one service is told the others go by, from their next round on', async () => {
  const { calls, retention, policy } = openMemoryStorage();
  const told = (given: RetentionPolicy) => roundsOf(retention!, { policy: policy!, given }).rounds.tell();
  const { rounds } = roundsOf(retention!, { policy: policy! });
  const written = async (id: string) => await calls.write([startFact(id, { trace_id: id, started_at: 1 })]);
  const isThere = async (id: string) => (await calls.get(PROJECT, id)) !== undefined;
  await written('old');
  await rounds.start();
  expect(await isThere('old')).toBe(true);
  await told({ all: { days: 7 }, projects: {} });
  await rounds.start();
  expect(await isThere('old')).toBe(false);
  await written('again');
  await told({ all: {}, projects: {} });
  await rounds.start();
  expect(await isThere('again')).toBe(true);
});

/** A store of two projects with an old trace each, where something fails in the first. */
function failingStore(failing: Partial<RetentionStore>) {
  const given = { room: 0 };
  const left = new Map([
    ['acme/one', 1],
    ['acme/two', 1],
  ]);
  const store: RetentionStore = {
    projects: async () => [...left.keys()],
    timeForBytes: async () => undefined,
    removeBefore: async (project) => {
      const count = left.get(project) ?? 0;
      left.set(project, 0);
      return { traces: count, calls: count };
    },
    giveBack: async () => {
      given.room++;
      return false;
    },
    ...failing,
  };
  return { store, given };
}

test('a failure in one project stops neither the others nor the giving back of room', async () => {
  const projects = { 'acme/one': { bytes: 1 } };
  const { store, given } = failingStore({ timeForBytes: async () => await Promise.reject(new Error('slow')) });
  const { rounds, log } = roundsOf(store, { given: { all: { days: 7 }, projects } });
  await rounds.start();
  expect(log).toMatchObject([
    { msg: 'retention failed', project: 'acme/one', stack: expect.stringContaining('slow') as string },
    { msg: 'old traces removed', project: 'acme/two', calls: 1 },
  ]);
  expect(given.room).toBe(1);
});

test('what was removed before the rule could not be read is told, and its room given back', async () => {
  const week = { all: { days: 7 }, projects: {} };
  // Read for the round, then for the first project: its rule, and before each step.
  const answers = [week, week, week];
  const policy = policyRead(async () => answers.shift() ?? (await Promise.reject(new Error('slow'))));
  const { store, given } = failingStore({});
  const { rounds, log } = roundsOf(store, { policy });
  await rounds.start();
  expect(log).toMatchObject([
    WARNED,
    { msg: 'old traces removed', project: 'acme/one', calls: 1 },
    { msg: 'retention failed', project: 'acme/one' },
    { msg: 'retention failed', project: 'acme/two' },
  ]);
  expect(given.room).toBe(1);
});

test('another rule than the one that was said before is replaced with a warning, a damaged one, too', async () => {
  const { retention, policy: kept } = openMemoryStorage();
  const say = async (days: number, policy: PolicyStore = kept!) => {
    const { rounds, log } = roundsOf(retention!, { policy, given: { all: { days }, projects: {} } });
    await rounds.tell();
    return log;
  };
  expect(await say(7)).toEqual([]);
  expect(await say(7)).toEqual([]);
  expect(await say(30)).toMatchObject([{ level: 40, before: '7 days', now: '30 days' }]);
  const damaged: PolicyStore = {
    get: async () => await Promise.reject(new Error('damaged')),
    set: async (policy) => await kept!.set(policy),
  };
  expect(await say(1, damaged)).toMatchObject([{ level: 40, msg: 'rule of retention before not known' }]);
  expect(await kept!.get()).toEqual({ all: { days: 1 }, projects: {} });
});

/** A store whose removal goes on until it is told to end. */
function endlessStore() {
  const ends: AbortSignal[] = [];
  const { store } = failingStore({
    removeBefore: async (_project, _time, { signal } = {}) => {
      ends.push(signal!);
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { traces: 1, calls: 1 };
    },
  });
  return { store, ends };
}

function leasedRounds(store: RetentionStore, mayRun: () => Promise<boolean>, leaseMs?: number) {
  const log: object[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => log.push(JSON.parse(line) as object) });
  const given = { all: { days: 7 }, projects: {} };
  const removed = { traces: 0, calls: 0 };
  const lease = leaseMs === undefined ? {} : { leaseMs };
  const rounds = new Retention(store, given, { removed, logger, mayRun, ...lease });
  onTestFinished(() => rounds.close());
  return { rounds, log };
}

/** A quarter of this goes by between two times that a service says so. */
const LEASE_MS = 1_200_000;

/** The clock stands still where it is not told to go on. */
function useClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a service says again that it removes what is old for as long as it does', async () => {
  useClock();
  const { store, ends } = endlessStore();
  let asked = 0;
  const { rounds, log } = leasedRounds(store, async () => {
    asked += 1;
    // What cannot be said now is said later.
    if (asked === 3) throw new Error('away');
    return true;
  });
  const round = rounds.start();
  await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
  expect(asked).toBe(1 + 8);
  expect(ends).toHaveLength(1);
  await rounds.close();
  await round;
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(asked).toBe(1 + 8);
  expect(log).toMatchObject([{ level: 40, msg: 'retention is not known to be ours' }, { msg: 'old traces removed' }]);
});

test('a round ends when another service has it', async () => {
  const { store, ends } = endlessStore();
  let asked = 0;
  const { rounds, log } = leasedRounds(store, async () => (asked += 1) < 3, 4);
  await rounds.start();
  expect(ends).toHaveLength(1);
  expect(log).toMatchObject([
    { level: 40, msg: 'another service removes old traces' },
    { msg: 'old traces removed', calls: 1 },
  ]);
});

test('a round ends before another service may have it, where it is not known whose it is', async () => {
  useClock();
  const { store, ends } = endlessStore();
  let asked = 0;
  const { rounds, log } = leasedRounds(store, async () => {
    asked += 1;
    if (asked > 3) throw new Error('away');
    return true;
  });
  const round = rounds.start();
  // It was said for the last time at half of the first.
  await vi.advanceTimersByTimeAsync(1.25 * LEASE_MS - 1);
  expect(ends[0]?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(0.25 * LEASE_MS);
  expect(ends[0]?.aborted).toBe(true);
  await round;
  const unknown = { level: 40, msg: 'retention is not known to be ours' };
  expect(log).toMatchObject([
    unknown,
    unknown,
    unknown,
    { level: 40, msg: 'another service may remove old traces' },
    { msg: 'old traces removed', calls: 1 },
  ]);
});

test('who closes waits for no store that lists its projects for long', async () => {
  const listing = { signal: undefined as AbortSignal | undefined };
  const { store } = failingStore({
    projects: async ({ signal } = {}) => {
      listing.signal = signal;
      return await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    },
  });
  const { rounds, log } = roundsOf(store, { given: { all: { days: 7 }, projects: {} } });
  const round = rounds.start();
  await vi.waitFor(() => expect(listing.signal).toBeDefined());
  await rounds.close();
  await round;
  expect(log).toEqual([]);
});
