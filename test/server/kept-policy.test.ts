import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { Retention } from '../../src/server/retention.ts';
import type { RetentionPolicy, RetentionStore } from '../../src/storage/contract/retention.ts';

const PROJECT = 'acme/demo';
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
    policy: async () => policies[Math.min(reads++, policies.length - 1)],
    setPolicy: async () => undefined,
  };
  return { asked, store };
}

function startRound(store: RetentionStore): { round: Retention; log: object[] } {
  const log: object[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => log.push(JSON.parse(line) as object) });
  const round = new Retention(store, undefined, { removed: { traces: 0, calls: 0 }, logger, freshMs: 0 });
  round.start();
  return { round, log };
}

test('what is still there is kept when somebody says meanwhile that it is to be', async () => {
  const week = { all: { days: 7 }, projects: {} };
  // Read for the round, for the project, and before each step.
  const { asked, store } = storeWith([week, week, week, week, { all: {}, projects: {} }]);
  const { round, log } = startRound(store);
  await vi.waitFor(() => expect(log).toMatchObject([{ msg: 'old traces removed', project: PROJECT, traces: 2 }]));
  await round.close();
  expect(asked).toEqual(['projects', 'removal', 'removal']);
});

test('where nobody has said anything nothing is looked for', async () => {
  const { asked, store } = storeWith([undefined]);
  await startRound(store).round.close();
  expect(asked).toEqual([]);
});
