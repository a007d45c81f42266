import { stringifyJson } from '../../../src/protocol/values/json.ts';
import { TracingError } from '../../../src/protocol/error.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { Dialect } from '../../../src/storage/sql/dialect.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { countCalls, PROJECT, readCalls, type WireRequest } from '../../../src/testing/storage/facts.ts';
import type { AggregatePlan } from '../../../src/storage/contract/overviews.ts';
import { callsOf } from '../../../src/testing/storage/traits-conformance.ts';
import { planOf, selectionOf } from '../../../src/testing/storage/plans.ts';
import { randomAsked } from './random-overviews.ts';
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
  /** Another engine than SQLite, empty. */
  readonly open?: () => Promise<Storage>;
}

/** Runs random queries over one random data set on both engines, up to the first difference. */
export async function compareOn(seed: number, queries: number, options: Options = {}): Promise<Comparison> {
  const { path = ':memory:', dialect, open = () => openSqliteStorage({ path, dialect }) } = options;
  const random = seededRandom(seed);
  const memory = openMemoryStorage();
  const engine = await open();
  const covered = new Set<string>();
  try {
    const facts = randomFacts(random);
    const feedback = randomFeedback(random);
    for (const storage of [memory, engine]) {
      await storage.calls.write(facts);
      for (const one of feedback) await storage.feedback.create(one);
    }
    let compared = 0;
    while (compared < queries) {
      const request = randomRequest(random);
      const asked = randomAsked(random);
      const answers = await bothAnswers(memory, engine, request, asked);
      if (answers === undefined) continue;
      compared += 1;
      for (const combination of combinationsOf(request)) covered.add(combination);
      if (answers[0] !== answers[1]) {
        return { compared, covered, difference: await shrunk({ seed, memory, engine, asked }, request) };
      }
    }
    return { compared, covered };
  } finally {
    await engine.close();
  }
}

/** Ids, where columns are chosen whole records, count, sums and outlines on each engine, as text; `undefined` when the planner refuses the request. */
async function bothAnswers(
  memory: Storage,
  engine: Storage,
  request: WireRequest,
  asked: Partial<AggregatePlan>,
): Promise<readonly [string, string] | undefined> {
  try {
    return [await answer(memory, request, asked), await answer(engine, request, asked)];
  } catch (error) {
    if (error instanceof TracingError && error.status < 500) return undefined;
    return ['an answer', String(error)];
  }
}

async function answer(storage: Storage, request: WireRequest, asked: Partial<AggregatePlan>): Promise<string> {
  const calls = await readCalls(storage, request);
  const shown = request.columns ? calls.map((call) => JSON.stringify(call)) : calls.map(({ id }) => id);
  return `${shown.join(' ')} (${await countCalls(storage, request)}) ${await overview(storage, request, asked)}`;
}

async function overview(storage: Storage, request: WireRequest, asked: Partial<AggregatePlan>): Promise<string> {
  const { overviews } = storage;
  if (overviews === undefined) return '';
  const ofProject = { project_id: PROJECT, ...request };
  const sums = await overviews.aggregate({ ...selectionOf(ofProject), ...asked });
  const { bodies: _bodies, ...plan } = planOf(ofProject);
  const outlines: unknown[] = [];
  for await (const chunk of overviews.outlines({ ...plan, hasPreviews: true })) outlines.push(...chunk);
  const { limit: _limit, offset: _offset, ...selection } = plan;
  const traits = callsOf(await overviews.traits({ ...selection, limit: 1000 }));
  return JSON.stringify({ sums, outlines, traits: traits.map((call) => call.join()).sort() });
}

interface Found {
  readonly seed: number;
  readonly memory: Storage;
  readonly engine: Storage;
  readonly asked: Partial<AggregatePlan>;
}

/** Takes parts away as long as the engines still differ. */
async function shrunk(found: Found, request: WireRequest): Promise<Difference> {
  const { seed, memory, engine, asked } = found;
  for (const smaller of smallerRequests(request)) {
    const answers = await bothAnswers(memory, engine, smaller, asked);
    if (answers !== undefined && answers[0] !== answers[1]) return shrunk(found, smaller);
  }
  const [expected = '', actual = ''] = (await bothAnswers(memory, engine, request, asked)) ?? [];
  return { seed, request: stringifyJson(request as never), expected, actual };
}
