import { beforeAll, describe, expect, test } from 'vitest';
import { current, startCall, traced } from '../../src/index.ts';
import {
  assertCall,
  assertCallOrder,
  assertCallTimes,
  assertNoErrors,
  assertTree,
  assertUsage,
  assertWithin,
  findCalls,
  type TraceMatchers,
  traceMatchers,
} from '../../src/testing/traces/matchers.ts';
import type { Trace } from '../../src/testing/traces/trace.ts';
import { startTraceServer } from '../../src/testing/traces/trace-server.ts';

declare module 'vitest' {
  // oxlint-disable-next-line no-unused-vars
  interface Matchers<T> extends TraceMatchers {}
}

expect.extend(traceMatchers);

const search = traced((topic: string, limit: number) => [topic, limit], {
  name: 'search',
  attributes: { index: 'web' },
});
const complete = traced(
  async (prompt: string) => {
    current().usage('m', { input: prompt.length, output: 1 });
    return { text: prompt.toUpperCase(), parts: [1, 2] };
  },
  { name: 'complete', kind: 'llm', displayName: (prompt) => `complete ${prompt}` },
);
const verify = traced(
  (text: string) => {
    throw new RangeError(`nothing cites ${text}`);
  },
  { name: 'verify' },
);
const answer = traced(
  async (question: string) => {
    search(question, 3);
    const { text } = await complete(question);
    try {
      verify(text);
    } catch {
      await complete('again');
    }
    return text;
  },
  { name: 'answer' },
);

let trace: Trace;
let chain: Trace;

beforeAll(async () => {
  const server = await startTraceServer();
  await answer('who');
  startCall('outer').run(() => startCall('middle').run(() => search('what', 1)));
  trace = await server.trace('answer');
  chain = await server.calls();
  await server.close();
});

const DRAWN = `! answer {"question":"who"} → "WHO"
├─ ✓ search {"topic":"who","limit":3} → ["who",3]
├─ ✓ complete who {"prompt":"who"} → {"text":"WHO","parts":[1,2]}
├─ ✗ verify {"text":"WHO"} → RangeError: nothing cites WHO
└─ ✓ complete again {"prompt":"again"} → {"text":"AGAIN","parts":[1,2]}
`;

test('a trace is drawn with what its calls took and gave', () => {
  expect(`${String(trace)}\n`).toBe(DRAWN);
});

test('what is there is found', () => {
  expect(trace).toHaveCall('answer');
  expect(trace).toHaveCall('search', { inputs: { limit: 3 }, output: ['who', 3], attributes: { index: 'web' } });
  expect(trace).toHaveCall('complete', { output: { text: /^A/ }, under: 'answer', error: false });
  expect(trace).toHaveCall('complete again', { output: expect.objectContaining({ parts: [1, expect.any(Number)] }) });
  expect(trace).toHaveCall(/^complete/, { inputs: (inputs: { prompt: string }) => inputs.prompt.length === 5 });
  expect(trace).toHaveCall('verify', { error: 'nothing cites' });
  expect(trace).toHaveCall('verify', { error: /^RangeError/ });
  expect(trace).toHaveCall('answer', { under: null, usage: { m: { requests: 2, total: 10 } } });
  expect(trace).toHaveCallTimes('complete', 2);
  expect(trace).toHaveCallTimes('complete', 1, { inputs: { prompt: 'who' } });
  expect(trace).toHaveCallTimes('delete', 0);
  expect(trace).toHaveCallOrder(['search', 'verify', 'complete']);
  expect(trace).toHaveUsage({ m: { input: 8, output: 2 } });
  expect(trace).toStayWithin({ calls: 5, errors: 1, tokens: 10 });
  expect(findCalls(trace, 'complete').map(({ name }) => name)).toEqual(['complete who', 'complete again']);
});

test('a call is under all those above it', () => {
  assertCall(chain, 'search', { under: 'middle' });
  assertCall(chain, 'search', { under: 'outer', inputs: { topic: 'what' } });
  expect(chain).not.toHaveCall('search', { under: 'outer', inputs: { topic: 'who' } });
  expect(chain).not.toHaveCall('outer', { under: 'middle' });
  expect(String(chain)).toContain('… outer {} → still running\n└─ … middle {} → still running\n   └─ ✓ search');
});

describe('a tree', () => {
  test.each([
    ['of names', 'answer\n  search\n  complete\n  verify\n  complete'],
    ['of marks, guides and display names', '✓ answer\n├─ search\n├─ complete who\n├─ ✗ verify\n└─ complete again'],
    ['indented as a whole', '\n    answer\n      search\n      complete\n      verify\n      complete\n  '],
    ['with others at the end', 'answer\n  search\n  …'],
    ['with others in between', 'answer\n  ...\n  verify\n  ...'],
    ['of others', '…'],
  ])('%s is the one', (_name, tree) => {
    expect(trace).toHaveTree(tree);
    assertTree(trace, tree);
  });

  test.each([
    ['without the last', 'answer\n  search\n  complete\n  verify'],
    ['with one too many', 'answer\n  search\n  complete\n  verify\n  complete\n  complete'],
    ['in another order', 'answer\n  complete\n  search\n  verify\n  complete'],
    ['one level too deep', 'answer\n  search\n    complete\n  verify\n  complete'],
    ['of roots', 'answer\nsearch\ncomplete\nverify\ncomplete'],
    ['with an error elsewhere', 'answer\n  ✗ search\n  …'],
    ['without its error', 'answer\n  …\n  ✓ verify\n  …'],
    ['of nothing', ''],
  ])('%s is not', (_name, tree) => {
    expect(trace).not.toHaveTree(tree);
    expect(() => assertTree(trace, tree)).toThrow(DRAWN);
  });
});

describe('what is not there fails and shows the tree', () => {
  test.each<[string, () => void, string]>([
    ['a name', () => assertCall(trace, 'delete'), 'Expected a call of delete, found none of that name in:'],
    [
      'inputs',
      () => assertCall(trace, 'search', { inputs: { topic: 'what' } }),
      'Expected a call of search with {"inputs":{"topic":"what"}}, found {"topic":"who","limit":3} → ["who",3] in:',
    ],
    ['a longer list', () => assertCall(trace, 'search', { output: ['who'] }), 'found {"topic"'],
    ['an expression', () => assertCall(trace, 'complete', { output: { text: /^B/ } }), '{"text":"/^B/"}'],
    ['an attribute', () => assertCall(trace, 'search', { attributes: { index: 'local' } }), 'a call of search with'],
    ['an error', () => assertCall(trace, 'search', { error: true }), 'a call of search with'],
    ['another error', () => assertCall(trace, 'verify', { error: 'TypeError' }), '→ RangeError: nothing cites WHO'],
    ['success', () => assertCall(trace, 'verify', { error: false }), 'a call of verify with'],
    ['a parent', () => assertCall(trace, 'search', { under: 'complete' }), 'a call of search with'],
    ['no parent', () => assertCall(trace, 'search', { under: null }), 'a call of search with'],
    ['a count', () => assertCallTimes(trace, 'complete', 3), 'Expected 3 × complete, found 2 in:'],
    ['an order', () => assertCallOrder(trace, ['verify', 'search']), 'found no search after verify in:'],
    ['a first call', () => assertCallOrder(trace, ['delete']), 'found no delete in:'],
    ['usage', () => assertUsage(trace, { m: { input: 9 } }), 'Expected the usage {"m":{"input":9}}, found {"m":{"req'],
    ['usage of others', () => assertUsage(trace, {}), 'found {"m":'],
    ['a budget', () => assertWithin(trace, { calls: 4, tokens: 9 }), 'found calls 5, tokens 10 in:'],
    ['a time', () => assertWithin(trace, { durationMs: -1 }), 'found durationMs'],
    ['no errors', () => assertNoErrors(trace), 'Expected at most {"errors":0}, found errors 1 in:'],
  ])('%s', (_name, check, message) => {
    expect(check).toThrow(message);
    expect(check).toThrow(DRAWN);
  });

  test('as methods of expect', () => {
    expect(() => expect(trace).toHaveCall('delete')).toThrow('Expected a call of delete, found none of that name in:');
    expect(() => expect(trace).toHaveNoErrors()).toThrow('found errors 1');
    expect(() => expect(trace).not.toHaveCall('search')).toThrow(
      `Expected not to find a call of search in:\n\n${DRAWN}`,
    );
    expect(() => expect(5).toHaveCall('search')).toThrow(TypeError);
  });
});

test('calls of the reader are looked at in the same way', () => {
  const records = trace.calls.map(({ record }) => record);
  expect(records).toHaveCall('search', { under: 'answer' });
  assertTree(records, 'answer\n  …');
  expect(() => assertTree([], 'answer')).toThrow('(no calls)');
});
