import { expect, test } from 'vitest';
import { compareCalls } from '../../../src/reader/compare/compare-calls.ts';
import type { Comparison } from '../../../src/reader/compare/comparison.ts';
import { kindOf } from '../../../src/reader/compare/origins.ts';
import { type TestCall, traceOf } from './traces.ts';

const V1 = `svc:///acme/demo/op/plan:${'a'.repeat(43)}`;
const V2 = `svc:///acme/demo/op/plan:${'b'.repeat(43)}`;
const prompt = (version: string) => `svc:///acme/demo/object/prompt-qa:${version}`;
const LLM = { kind: 'llm' };

function compare(a: TestCall, b: TestCall): Comparison {
  return compareCalls(traceOf(a), traceOf(b));
}

function kindsOf({ calls }: Comparison): string[] {
  return calls.map((call) => kindOf(call) ?? 'same');
}

/** An answer of three calls. */
function answer(change: Partial<Record<'root' | 'plan' | 'search' | 'chat', Partial<TestCall>>> = {}): TestCall {
  const { root, plan, search, chat } = change;
  return {
    op: 'answer',
    inputs: { question: 'Why?', prompt: prompt('p1') },
    output: 'Because.',
    ...root,
    calls: [
      { op: V1, inputs: { question: 'Why?' }, output: 'a plan', ...plan },
      { op: 'search', inputs: { text: 'why' }, output: ['doc-1'], ...search },
      {
        op: 'chat',
        attributes: LLM,
        inputs: { request: { model: 'gpt-a', temperature: 0.2, messages: [{ role: 'user', content: 'Why?' }] } },
        output: { id: 'chatcmpl-abc123XYZ', text: 'Because.' },
        ...chat,
      },
    ],
  };
}

function chatWith(settings: object): Partial<TestCall> {
  const request = { model: 'gpt-a', temperature: 0.2, messages: [{ role: 'user', content: 'Why?' }], ...settings };
  return { inputs: { request } };
}

test('two runs of the same are the same, whatever their ids and times are', () => {
  const comparison = compare(answer(), answer());
  expect(comparison).toMatchObject({ isSame: true, origins: [], counts: { same: 4, code: 0, only_a: 0 } });
});

test('another version of an op goes before anything else', () => {
  const other = { op: V2, inputs: { question: 'How?' }, output: 'another plan' };
  const { origins, counts } = compare(answer(), answer({ plan: other }));
  expect(origins).toMatchObject([
    {
      kind: 'code',
      op: 'plan',
      cause: { version: { name: 'plan', a: 'a'.repeat(43), b: 'b'.repeat(43) } },
      calls: [1],
    },
  ]);
  expect(counts).toMatchObject({ same: 3, code: 1 });
});

test('an op with a version and one without are no change of code', () => {
  expect(compare(answer(), answer({ plan: { op: 'plan' } })).isSame).toBe(true);
});

test('the same version in another project is no change', () => {
  const elsewhere = answer({
    root: { inputs: { question: 'Why?', prompt: prompt('p1').replace('acme/demo', 'acme/staging') } },
    plan: { op: V1.replace('acme/demo', 'acme/staging') },
  });
  expect(compare(answer(), elsewhere).isSame).toBe(true);
});

test('a reference to another version of an object goes before other inputs, and is told once where it is handed down', () => {
  const root = { inputs: { question: 'How?', prompt: prompt('p2') } };
  const chat = { inputs: { ...chatWith({}).inputs, prompt: prompt('p2') } };
  const before = answer({ chat: { inputs: { ...chatWith({}).inputs, prompt: prompt('p1') } } });
  const { origins } = compare(before, answer({ root, chat }));
  expect(origins).toMatchObject([
    {
      kind: 'object',
      op: 'answer',
      cause: {
        objects: [{ name: 'prompt-qa', a: 'p1', b: 'p2', path: ['prompt'] }],
        changes: [{ path: ['question'] }],
      },
    },
  ]);
  expect(origins[0]?.calls).toEqual([0, 3]);
});

test('another input of the first call is a reason, those that come of it are not', () => {
  const root = { inputs: { question: 'How?', prompt: prompt('p1') }, output: 'So.' };
  const plan = { inputs: { question: 'How?' }, output: 'another plan' };
  const { origins, counts } = compare(answer(), answer({ root, plan }));
  expect(origins).toMatchObject([
    { kind: 'input', op: 'answer', cause: { changes: [{ path: ['question'], a: 'Why?', b: 'How?' }] } },
  ]);
  expect(counts).toMatchObject({ input: 2, same: 2 });
});

test.each([
  ['model', { model: 'gpt-b' }, ['model']],
  ['model', { model: 'gpt-b', temperature: 0.9 }, ['model', 'temperature']],
  ['settings', { temperature: 0.9 }, ['temperature']],
  ['settings', { max_tokens: 100, seed: 7 }, ['max_tokens', 'seed']],
  ['input', { temperature: 0.9, messages: [{ role: 'user', content: 'How?' }] }, ['content', 'temperature']],
])('%s: %j', (kind, settings, paths) => {
  const { origins } = compare(answer(), answer({ chat: chatWith(settings) }));
  expect(origins).toMatchObject([{ kind, op: 'chat' }]);
  const changes = origins[0]?.cause && 'changes' in origins[0].cause ? origins[0].cause.changes : [];
  expect(changes.map(({ path }) => path.at(-1))).toEqual(paths);
});

test('words for anything are settings of requests to models only', () => {
  const { origins } = compare({ op: 'f', inputs: { n: 1 } }, { op: 'f', inputs: { n: 2 } });
  expect(origins).toMatchObject([{ kind: 'input' }]);
});

test('another model is one also where only the usage tells it, and of the call that used it', () => {
  const used = (model: string): Partial<TestCall> => ({ summary: { usage: { [model]: { input_tokens: 3 } } } });
  const { origins } = compare(
    answer({ root: used('gpt-a-1'), chat: used('gpt-a-1') }),
    answer({ root: used('gpt-a-2'), chat: used('gpt-a-2') }),
  );
  expect(origins).toMatchObject([
    { kind: 'model', op: 'chat', cause: { changes: [{ path: ['model'], a: 'gpt-a-1', b: 'gpt-a-2' }] } },
  ]);
});

test('an output that differs for the same inputs is a reason; those of the calls above are not', () => {
  const { origins, counts } = compare(
    answer(),
    answer({ root: { output: 'So.' }, search: { output: ['doc-2'] }, chat: chatWith({ messages: [] }) }),
  );
  expect(origins).toMatchObject([{ kind: 'output', op: 'search', calls: [2] }]);
  expect(counts).toMatchObject({ output: 2, input: 1, same: 1 });
});

test('a tool that fails is a reason', () => {
  const failed = { exception: 'Error: 550 unavailable\n    at send (tools.ts:94)', output: null };
  const { origins } = compare(answer(), answer({ root: failed, search: failed }));
  expect(origins).toMatchObject([{ kind: 'output', op: 'search', cause: { ends: { a: 'returned', b: 'failed' } } }]);
});

test('the same error from another line is the same', () => {
  const failed = (line: number) => ({ exception: `Error: 550\n    at send (tools.ts:${line})`, output: null });
  expect(compare(answer({ search: failed(94) }), answer({ search: failed(95) })).isSame).toBe(true);
});

test('a call that has no end is another than one that has', () => {
  const { origins } = compare(answer(), answer({ search: { ended_at: null, output: null } }));
  expect(origins).toMatchObject([{ kind: 'output', op: 'search', cause: { ends: { b: 'open' } } }]);
});

test('calls that one side has alone are told with all below them', () => {
  const more: TestCall = { ...answer(), calls: [...(answer().calls ?? []), { op: 'retry', calls: [{ op: 'wait' }] }] };
  const one = compare(answer(), more);
  expect(one.origins).toMatchObject([{ kind: 'only_b', op: 'retry', cause: null, calls: [4] }]);
  expect(one.counts).toMatchObject({ same: 4, only_b: 2 });
  expect(compare(more, answer()).origins).toMatchObject([{ kind: 'only_a', op: 'retry' }]);
});

test('what each run has anew is no difference', () => {
  const noisy = (): ReturnType<typeof traceOf> => {
    const calls = traceOf(answer());
    const [root, , search, chat] = calls;
    if (!root || !search || !chat) throw new Error('there are four calls');
    const now = Date.parse(search.started_at);
    search.inputs = { text: 'why', trace: search.trace_id, parent: `svc:///acme/demo/call/${root.id}` };
    search.output = { at: new Date(now).toISOString(), ms: now, seconds: Math.floor(now / 1000), call: search.id };
    const own = `9xK2fQ7Lm${search.trace_id.replaceAll(/\D/g, '')}`;
    const id = `chatcmpl-${own}`;
    const usage = { prompt_tokens: now % 1000, completion_tokens: 3 };
    chat.output = { id, created: Math.floor(now / 1000), system_fingerprint: `fp_${id}`, text: 'Because.', usage };
    chat.inputs = { tool: JSON.stringify({ call: search.id, at: new Date(now).toISOString(), ms: now, id }) };
    root.exception = `APIError: 429 too many, see call ${root.id}, request req_${own} at ${root.started_at}`;
    root.summary = { usage: { 'gpt-a': { ...usage, requests: 1 } } };
    return calls;
  };
  expect(compareCalls(noisy(), noisy())).toMatchObject({ isSame: true, origins: [] });
});

test('an id, a time or a number that is not of the run is a difference', () => {
  const values = (own: Record<string, unknown>): TestCall => ({ op: 'f', inputs: own });
  for (const [one, other] of [
    [{ id: 'order-1' }, { id: 'order-2' }],
    [{ sku: 'item-0000123' }, { sku: 'item-0000999' }],
    [{ part: 'batch-2024-01-31' }, { part: 'batch-2024-02-01' }],
    [{ text: 'see tool_search_v2 for it' }, { text: 'see tool_search_v3 for it' }],
    [
      { answer: 'yes', total_tokens: 12 },
      { answer: 'no', total_tokens: 13 },
    ],
    [{ budget: { total_tokens: 4000 } }, { budget: { total_tokens: 8000 } }],
    [{ usage: { total_tokens: 12, plan: 'free' } }, { usage: { total_tokens: 12, plan: 'paid' } }],
    [{ text: 'it is 2020-01-01T00:00:00Z' }, { text: 'it is 2020-01-02T00:00:00Z' }],
    [{ text: 'a number of 1234567890' }, { text: 'a number of 1234567891' }],
    [{ at: '2020-01-01T00:00:00Z' }, { at: '2020-01-02T00:00:00Z' }],
    [{ max: { max_tokens: 1 } }, { max: { max_tokens: 2 } }],
    [{ list: [1, 2] }, { list: [2, 1] }],
    [{ a: null }, {}],
  ] as const)
    expect(compare(values(one), values(other)).isSame).toBe(false);
});

test('a text of very many empty lines in an error takes no time that grows with their square', () => {
  const failed = (lines: number): TestCall => ({ op: 'f', exception: `Error: no${'\n'.repeat(lines)}end` });
  const timeOf = (lines: number): number => {
    const begun = performance.now();
    expect(compare(failed(lines), failed(lines)).isSame).toBe(true);
    return performance.now() - begun;
  };
  timeOf(10_000);
  expect(timeOf(160_000)).toBeLessThan(8 * Math.max(5, timeOf(40_000)));
});

test('the order of members and of calls alone is no difference', () => {
  const one: TestCall = { op: 'f', inputs: { a: 1, b: 2 }, calls: [{ op: 'g' }, { op: 'h' }] };
  const other: TestCall = { op: 'f', inputs: { b: 2, a: 1 }, calls: [{ op: 'h' }, { op: 'g' }] };
  const comparison = compare(one, other);
  expect(kindsOf(comparison)).toEqual(['same', 'same', 'same']);
  expect(comparison.calls.filter(({ isMoved }) => isMoved)).toHaveLength(1);
});

test('every difference has a reason among the differences', () => {
  const changes: Partial<TestCall>[] = [{}, { output: 'other' }, { inputs: { other: 1 } }, { exception: 'Error: no' }];
  for (const root of changes)
    for (const plan of [...changes, { op: V2 }])
      for (const search of changes)
        for (const chat of [...changes, chatWith({ model: 'gpt-b' })]) {
          const { isSame, origins } = compare(answer(), answer({ root, plan, search, chat }));
          expect(origins.length > 0).toBe(!isSame);
        }
});

test('numbers of both are told: each token is counted once', () => {
  const usage = (tokens: number) => ({ summary: { usage: { 'gpt-a': { input_tokens: tokens } } } });
  const { a, b } = compare(answer({ root: usage(5), chat: usage(5) }), answer({ root: usage(7), chat: usage(7) }));
  expect([a.tokens, b.tokens, a.callCount]).toEqual([5, 7, 4]);
});

test('calls that are their own ancestors are there once', () => {
  const calls = traceOf({ op: 'f', calls: [{ op: 'g', calls: [{ op: 'h' }] }] });
  const circle = calls.map((call, index) => (index === 0 ? { ...call, parent_id: calls[2]?.id ?? null } : call));
  expect(kindsOf(compareCalls(circle, circle))).toEqual(['same', 'same', 'same']);
});

test('a trace as deep as it is long is compared', () => {
  const deep = (depth: number) => {
    const calls = traceOf(...Array.from({ length: depth }, () => ({ op: 'f' })));
    return calls.map((call, index) => ({ ...call, parent_id: calls[index - 1]?.id ?? null }));
  };
  expect(compareCalls(deep(10_000), deep(9999)).counts).toMatchObject({ same: 9999, only_a: 1 });
});
