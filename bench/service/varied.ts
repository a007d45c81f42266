import { idOf, type Load, markOf, opOf, PROJECT, rootOf, topicOf, traceOf } from './load.ts';
import type { Query } from './queries.ts';

/** Calls of a week, whose texts are words in no order. */
export interface Week {
  /** Calls of the whole week. */
  readonly calls: number;
}

const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const POOL_CHARS = 32 * 2 ** 20;
/** Of so many different words, as of what people write, a kilobyte deflates to two fifths among others. */
const WORDS = 4000;
const INPUT_CHARS = 650;
const OUTPUT_CHARS = 150;
const MODELS = ['gpt-4o-mini', 'gpt-4o', 'gpt-4.1-mini'];

let pool: string | undefined;

/** A text that no neighbour in a block of the database has; the same in each run. */
function words(n: number, chars: number): string {
  pool ??= makePool();
  const from = (n * 7_919) % (POOL_CHARS - chars);
  return pool.slice(from, from + chars);
}

function makePool(): string {
  const next = randomBelow(1);
  const letters = (count: number) => String.fromCharCode(...Array.from({ length: count }, () => 0x61 + next(26)));
  const vocabulary = Array.from({ length: WORDS }, () => letters(3 + next(8)));
  const pieces: string[] = [];
  for (let length = 0; length < POOL_CHARS;) {
    const word = vocabulary[Math.min(next(WORDS), next(WORDS))] ?? '';
    pieces.push(word);
    length += word.length + 1;
  }
  return pieces.join(' ').slice(0, POOL_CHARS);
}

/** Numbers below a bound, which look like random ones (Marsaglia's xorshift). */
function randomBelow(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** Makes the requests of a week, each of some calls: start and end, about a kilobyte. Calls with parents have used a model. */
export function weekBatches({ calls: all }: Week): (load: Load) => string {
  // Not while somebody measures.
  pool ??= makePool();
  return ({ from = 0, calls }) => {
    const items: string[] = [];
    for (let n = from; n < from + calls; n++) items.push(itemsOf(n, all));
    return `{"batch":[${items.join(',')}]}`;
  };
}

function itemsOf(n: number, all: number): string {
  const startedMs = START_MS + Math.floor((n * WEEK_MS) / all);
  const head = `"project_id":"${PROJECT}","id":"${idOf(n)}"`;
  const isRoot = n === rootOf(n);
  const parent = isRoot ? '' : `"parent_id":"${idOf(rootOf(n))}",`;
  const model = MODELS[n % MODELS.length] ?? '';
  const attributes = isRoot ? '{}' : `{"kind":"llm","model":"${model}"}`;
  const inputs = `{"topic":"${topicOf(n)}","text":"${markOf(n)} ${words(n, INPUT_CHARS)}"}`;
  const usage = `{"input_tokens":${100 + (n % 900)},"output_tokens":${10 + (n % 290)},"requests":1}`;
  const summary = isRoot ? '{}' : `{"usage":{"${model}":${usage}}}`;
  const start = `{${head},"op_name":"${opOf(n)}","trace_id":"${traceOf(n)}",${parent}"started_at":"${timeOf(startedMs)}","attributes":${attributes},"inputs":${inputs}}`;
  const endedAt = timeOf(startedMs + 200 + (n % 3000));
  const end = `{${head},"ended_at":"${endedAt}","output":{"text":"${words(n + 1, OUTPUT_CHARS)}"},"summary":${summary}}`;
  return `{"mode":"start","req":{"start":${start}}},{"mode":"end","req":{"end":${end}}}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** What the calls of one of seven days have used: of one op, and of all, with how many calls each op has. */
export function usageOfDay(): Query[] {
  const dayOf = (n: number) => ({
    started_after: timeOf(START_MS + (n % 6) * DAY_MS),
    started_before: timeOf(START_MS + ((n % 6) + 1) * DAY_MS),
  });
  const isPriced = (answer: string) => {
    const { tokens, cost } = JSON.parse(answer) as { tokens: { total: number; input: number }; cost: number | null };
    return tokens.input > 0 && (cost ?? 0) > 0;
  };
  return [
    {
      figure: 'dayOfOp',
      path: '/x/calls/stats',
      body: (n) => ({ ...dayOf(n), filter: { op_names: [opOf(1 + (n % 9))] } }),
      isRight: isPriced,
    },
    {
      figure: 'dayByOp',
      path: '/x/calls/stats',
      body: (n) => ({ ...dayOf(n), facets: [{ field: 'op', limit: 20 }] }),
      isRight: isPriced,
    },
  ];
}
