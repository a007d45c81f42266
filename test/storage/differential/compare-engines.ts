import { stringifyJson } from '../../../src/protocol/values/json.ts';
import { TracingError } from '../../../src/protocol/error.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { Dialect } from '../../../src/storage/sql/dialect.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { countCalls, readCalls, type WireRequest } from '../../../src/testing/storage/facts.ts';
import { combinationsOf } from './coverage.ts';
import { seededRandom } from './random.ts';
import { randomFacts, randomFeedback } from './random-calls.ts';
import { randomRequest, smallerRequests } from './random-query.ts';

export interface Difference {
  readonly seed: number;
  readonly request: string;
  readonly expected: string;
  readonly actual: string;
}

export interface Comparison {
  /** Queries that both engines answered. */
  readonly compared: number;
  /** What these queries asked. */
  readonly covered: ReadonlySet<string>;
  readonly difference?: Difference;
}

export interface Options {
  /** File of the SQLite engine. @default ':memory:' */
  readonly path?: string;
  readonly dialect?: Dialect;
}

/** Runs random queries over one random data set on both engines, up to the first difference. */
export async function compareOn(seed: number, queries: number, options: Options = {}): Promise<Comparison> {
  const { path = ':memory:', dialect } = options;
  const random = seededRandom(seed);
  const memory = openMemoryStorage();
  const sqlite = await openSqliteStorage({ path, dialect });
  const covered = new Set<string>();
  try {
    const facts = randomFacts(random);
    const feedback = randomFeedback(random);
    for (const storage of [memory, sqlite]) {
      await storage.calls.write(facts);
      for (const one of feedback) await storage.feedback.create(one);
    }
    let compared = 0;
    while (compared < queries) {
      const request = randomRequest(random);
      const answers = await bothAnswers(memory, sqlite, request);
      if (answers === undefined) continue;
      compared += 1;
      for (const combination of combinationsOf(request)) covered.add(combination);
      if (answers[0] !== answers[1]) {
        return { compared, covered, difference: await shrunk(seed, memory, sqlite, request) };
      }
    }
    return { compared, covered };
  } finally {
    await sqlite.close();
  }
}

/** Ids, where columns are chosen whole records, and count on each engine, as text; `undefined` when the planner refuses the request. */
async function bothAnswers(
  memory: Storage,
  sqlite: Storage,
  request: WireRequest,
): Promise<readonly [string, string] | undefined> {
  try {
    return [await answer(memory, request), await answer(sqlite, request)];
  } catch (error) {
    if (error instanceof TracingError && error.status < 500) return undefined;
    return ['an answer', String(error)];
  }
}

async function answer(storage: Storage, request: WireRequest): Promise<string> {
  const calls = await readCalls(storage, request);
  const shown = request.columns ? calls.map((call) => JSON.stringify(call)) : calls.map(({ id }) => id);
  return `${shown.join(' ')} (${await countCalls(storage, request)})`;
}

/** Takes parts away as long as the engines still differ. */
async function shrunk(seed: number, memory: Storage, sqlite: Storage, request: WireRequest): Promise<Difference> {
  for (const smaller of smallerRequests(request)) {
    const answers = await bothAnswers(memory, sqlite, smaller);
    if (answers !== undefined && answers[0] !== answers[1]) return shrunk(seed, memory, sqlite, smaller);
  }
  const [expected = '', actual = ''] = (await bothAnswers(memory, sqlite, request)) ?? [];
  return { seed, request: stringifyJson(request as never), expected, actual };
}
