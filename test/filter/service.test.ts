import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BeyondFacts, meetsBeyond, queriesOf } from '../../src/filter/meets-beyond.ts';
import { toSelection, toStreamQuery } from '../../src/filter/to-selection.ts';
import type { QueryObject } from '../../src/protocol/query.ts';
import { formatCallRef, opNameOf } from '../../src/protocol/ref.ts';
import { type Call, createReader, type Reader } from '../../src/reader/reader.ts';
import { createServer, type SpoorServer } from '../../src/server/create-server.ts';
import { DAY, PROJECT, seededCalls } from './seeded-calls.ts';
import { treeOf } from './reading.ts';

/** Any JSON: what is not there is undefined. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;
type Predicate = (
  call: Call & { readonly summary: Loose; readonly attributes: Loose; readonly inputs: Loose; readonly output: Loose },
) => boolean;

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
const holds =
  (text: string): Predicate =>
  ({ inputs, output }) =>
    [textOf(inputs), output === null ? '' : textOf(output)].some(
      (each) => each.includes(text.toLowerCase()) || each.includes(JSON.stringify(text).slice(1, -1).toLowerCase()),
    );
const minuteOf = (call: Call) => (Date.parse(call.started_at) - DAY) / 60_000;
const msOf = (call: Call) =>
  call.ended_at === null ? Number.NaN : Date.parse(call.ended_at) - Date.parse(call.started_at);
const status =
  (wanted: string): Predicate =>
  ({ summary }) =>
    summary.svc.status === wanted;
const op =
  (wanted: string): Predicate =>
  (call) =>
    opNameOf(call.op_name) === wanted;
const modelsOf = ({ summary }: Call) => Object.keys((summary as Loose).usage ?? {});
const tokensOf = (call: Call) => factsOf(call).tokens;

/** The money of the calls that have a cost here; the service computes it from prices. */
const COSTS: Readonly<Record<string, number>> = { c03: 0.005, c11: 0.02 };
const NEVER_ENDED = 'c08';

function factsOf(call: Call): BeyondFacts {
  const [usage] = Object.values<Loose>((call.summary as Loose).usage ?? {});
  const tokens =
    usage === undefined
      ? null
      : { input: usage.input_tokens, output: usage.output_tokens, total: usage.input_tokens + usage.output_tokens };
  const state = call.id === NEVER_ENDED ? 'never_ended' : (call.summary as Loose).svc.status;
  return { tokens, cost: COSTS[call.id] ?? null, models: modelsOf(call), state };
}

/** Conditions beside the same in JavaScript. */
const CONDITIONS: readonly (readonly [string, Predicate])[] = [
  ['refund', holds('refund')],
  ['"where is my"', holds('where is my')],
  [String.raw`"Refund \"now\""`, holds('Refund "now"')],
  ['退款', holds('退款')],
  ['بالعالم', holds('بالعالم')],
  ['std::vector<int>', holds('std::vector<int>')],
  [String.raw`"C:\\temp"`, holds('C:\\temp')],
  ['op:answer', op('answer')],
  ['op:answer,plan', (call) => op('answer')(call) || op('plan')(call)],
  ['op:answer*', ({ op_name }) => opNameOf(op_name).startsWith('answer')],
  ['op:"GET /users"', op('GET /users')],
  ['status:ok', status('success')],
  ['status:error', status('error')],
  ['status:descendant', status('descendant_error')],
  ['status:running', (call) => factsOf(call).state === 'running'],
  ['status:never', ({ id }) => id === NEVER_ENDED],
  ['status:error,never', (call) => ['error', 'never_ended'].includes(factsOf(call).state)],
  ['model:gpt-4.1', (call) => modelsOf(call).includes('gpt-4.1')],
  ['model:gpt*', (call) => modelsOf(call).some((model) => model.startsWith('gpt'))],
  ['model:*MINI*', (call) => modelsOf(call).some((model) => model.includes('mini'))],
  ['kind:llm', ({ attributes }) => attributes.kind === 'llm'],
  ['kind:other', ({ attributes }) => !['llm', 'agent', 'tool'].includes(attributes.kind)],
  ['thread:chat-7', ({ thread_id }) => thread_id === 'chat-7'],
  ['thread:chat*', ({ thread_id }) => thread_id !== null],
  ['thread:*T-8*', ({ thread_id }) => thread_id === 'chat-8'],
  ['user:ada', ({ attributes }) => attributes.user === 'ada'],
  ['run:nightly', ({ svc_run_id }) => svc_run_id === 'acme/demo/nightly'],
  ['run:nightly*', ({ svc_run_id }) => svc_run_id !== null],
  ['trace:trace-c02', ({ trace_id }) => trace_id === 'trace-c02'],
  ['trace:trace-c0*', ({ trace_id }) => trace_id.startsWith('trace-c0')],
  ['error:TIMEOUT', ({ exception }) => exception?.startsWith('Timeout') === true],
  ['error:"not a function"', ({ id }) => id === 'c12'],
  ['name:guard', ({ display_name }) => display_name === 'guard'],
  ['name:answer*', ({ op_name }) => opNameOf(op_name).startsWith('answer')],
  ['name:*USERS*', op('GET /users')],
  ['attr.tenant:acme', ({ attributes }) => attributes.tenant === 'acme'],
  ['attr.tenant:acme*', ({ attributes }) => attributes.tenant?.startsWith('acme') === true],
  ['attr.tenant:"acme*"', ({ attributes }) => attributes.tenant === 'acme*'],
  ['attr.n:5', ({ attributes }) => Number(attributes.n ?? Number.NaN) === 5],
  ['attr.n:"5"', ({ attributes }) => String(attributes.n) === '5'],
  ['attr.n>5', ({ attributes }) => Number(attributes.n ?? Number.NaN) > 5],
  ['attr.n:5..7.5', ({ attributes }) => Number(attributes.n ?? Number.NaN) >= 5],
  ['attr.http.status:200', ({ id }) => id === 'c04'],
  [String.raw`attr.a\.b:dotted`, ({ id }) => id === 'c10'],
  [String.raw`attr.my\ key:true`, ({ id }) => id === 'c10'],
  ['input.page>=3', ({ inputs }) => Number(inputs.page ?? Number.NaN) >= 3],
  ['input.question:*my*', ({ id }) => id === 'c01'],
  ['input:refund', ({ inputs }) => textOf(inputs).includes('refund')],
  ['output:"sent"', ({ id }) => id === 'c11'],
  ['output:"refund\nsent"', ({ id }) => id === 'c11'],
  ['output.ok:false', ({ id }) => id === 'c10'],
  ['output.list.0.name:x', ({ id }) => id === 'c10'],
  ['summary.status_counts.error>0', ({ id }) => id === 'c06'],
  ['summary.svc.status:success', status('success')],
  ['tokens>1000', (call) => (tokensOf(call)?.total ?? 0) > 1000],
  ['tokens:15', (call) => tokensOf(call)?.total === 15],
  ['tokens.in>=900', (call) => (tokensOf(call)?.input ?? 0) >= 900],
  ['tokens.out<200', (call) => (tokensOf(call)?.output ?? Infinity) < 200],
  ['cost>=0.02', ({ id }) => id === 'c11'],
  ['cost:0..0.01', ({ id }) => id === 'c03'],
  ['latency>2s', (call) => msOf(call) > 2000],
  ['latency<=1s', (call) => msOf(call) <= 1000],
  ['latency:300ms', ({ id }) => id === 'c09'],
  ['latency:1s..5s', (call) => msOf(call) >= 1000 && msOf(call) <= 5000],
  ['started:5m', (call) => minuteOf(call) >= 55],
  ['started:58m', (call) => minuteOf(call) >= 2],
  ['started<57m', (call) => minuteOf(call) < 3],
  ['started:2026-11-20', () => true],
  ['started>2026-11-20', () => false],
  // Berlin is an hour ahead.
  ['started:2026-11-20T01:03..2026-11-20T01:06', (call) => minuteOf(call) >= 3 && minuteOf(call) < 6],
  ['started>=2026-11-20T00:04Z', (call) => minuteOf(call) >= 4],
  ['started>2026-11-20T00:04Z', (call) => minuteOf(call) > 4],
  ['started<=2026-11-20T00:04Z', (call) => minuteOf(call) <= 4],
  ['started:2026-11-20T00:04Z,2026-11-20T00:06Z', (call) => [4, 6].includes(minuteOf(call))],
  ['feedback.score>0.5', ({ id }) => id === 'c01'],
  ['feedback.score<=0.5', ({ id }) => id === 'c01' || id === 'c02'],
  ['feedback.note:*wrong*', ({ id }) => id === 'c03'],
  ['feedback.reaction:👍', ({ id }) => id === 'c04'],
  ['feedback.thumbs:true', ({ id }) => id === 'c05'],
  ['feedback.[thumbs].why.0:slow', ({ id }) => id === 'c05'],
  ['roots:yes', ({ parent_id }) => parent_id === null],
  ['roots:no', ({ parent_id }) => parent_id !== null],
  ['has:feedback', ({ id }) => id <= 'c05'],
  ['has:feedback.score', ({ id }) => id <= 'c02'],
  ['has:error', ({ exception }) => exception !== null],
  ['has:model', (call) => modelsOf(call).length > 0],
  ['has:tokens', (call) => modelsOf(call).length > 0],
  ['has:cost', ({ id }) => COSTS[id] !== undefined],
  ['has:thread', ({ thread_id }) => thread_id !== null],
  ['has:user', ({ attributes }) => attributes.user !== undefined],
  ['has:run', ({ svc_run_id }) => svc_run_id !== null],
  ['has:latency', ({ ended_at }) => ended_at !== null],
  ['has:input', ({ inputs }) => Object.keys(inputs).length > 0],
  ['has:input.page', ({ inputs }) => inputs.page !== undefined],
  ['has:output', ({ output }) => output !== null],
  ['has:attr.n', ({ attributes }) => attributes.n !== undefined && attributes.n !== null],
];

describe.each(['memory', 'sqlite'] as const)('calls of %s', (storage) => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-filter-'));
  let server: SpoorServer;
  let reader: Reader;
  let calls: Parameters<Predicate>[0][];

  beforeAll(async () => {
    server = await createServer({
      storage,
      port: 0,
      logLevel: 'silent',
      ...(storage === 'sqlite' && { dataDir: folder }),
    });
    reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
    await reader.calls.write(seededCalls());
    const give = (id: string, feedback_type: string, payload: Record<string, unknown>) =>
      reader.feedback.create({ svc_ref: formatCallRef(PROJECT, id), feedback_type, payload });
    await give('c01', 'score', { value: 0.9 });
    await give('c01', 'score', { value: 0.1 });
    await give('c02', 'score', { score: 0.5 });
    await give('c03', 'svc.note.1', { note: 'all wrong here' });
    await give('c04', 'svc.reaction.1', { emoji: '👍' });
    await give('c05', 'thumbs', { value: true, why: ['slow'] });
    calls = await collect({});
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  async function collect(request: object): Promise<Call[]> {
    const all: Call[] = [];
    for await (const call of reader.calls.query(request)) all.push(call);
    return all;
  }

  async function idsOf(text: string): Promise<string[]> {
    const selection = toSelection(treeOf(text), {
      projectId: PROJECT,
      now: DAY + 3_600_000,
      timeZone: 'Europe/Berlin',
    });
    const found = await collect(toStreamQuery(selection));
    const answers = new Map<QueryObject, Set<string>>();
    for (const query of (selection.beyond ?? []).flatMap(queriesOf)) {
      answers.set(query, new Set((await collect({ query })).map(({ id }) => id)));
    }
    const isBeyond = (call: Call) =>
      (selection.beyond ?? []).every((each) =>
        meetsBeyond(each, factsOf(call), (query) => answers.get(query)?.has(call.id) === true),
      );
    return found.filter(isBeyond).map(({ id }) => id);
  }

  const matching = (predicate: Predicate) => calls.filter(predicate).map(({ id }) => id);

  test.each(CONDITIONS)('%s finds the calls that are so, and its opposite all others', async (text, predicate) => {
    expect(await idsOf(text)).toEqual(matching(predicate));
    expect(await idsOf(`-${text}`)).toEqual(matching((call) => !predicate(call)));
  });

  test('every condition finds some calls, or none for a reason', () => {
    const idle = CONDITIONS.filter(([, predicate]) => matching(predicate).length === 0).map(([text]) => text);
    expect(idle).toEqual(['started:5m', 'started>2026-11-20']);
  });

  interface Joined {
    readonly text: string;
    readonly predicate: Predicate;
  }

  const leaf = fc.constantFrom(...CONDITIONS).map(([text, predicate]): Joined => ({ text, predicate }));
  const pairOf = (each: fc.Arbitrary<Joined>) => fc.tuple(each, each);
  const anyJoined = fc.letrec<{ joined: Joined }>((tie) => ({
    joined: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie('joined').map(({ text, predicate }): Joined => ({
        text: `-(${text})`,
        predicate: (call) => !predicate(call),
      })),
      pairOf(tie('joined')).map(([a, b]): Joined => ({
        text: `(${a.text}) (${b.text})`,
        predicate: (call) => a.predicate(call) && b.predicate(call),
      })),
      pairOf(tie('joined')).map(([a, b]): Joined => ({
        text: `(${a.text}) or (${b.text})`,
        predicate: (call) => a.predicate(call) || b.predicate(call),
      })),
    ),
  })).joined;

  test('conditions are joined as in JavaScript', async () => {
    await fc.assert(
      fc.asyncProperty(anyJoined, async ({ text, predicate }) => {
        expect(await idsOf(text)).toEqual(matching(predicate));
      }),
      { numRuns: 150 },
    );
  });
});
