import { expectTypeOf, test } from 'vitest';
import type { InitOptions } from '../../src/index.ts';
import {
  assertCall,
  findCalls,
  startTraceServer,
  type TraceCall,
  type TraceMatchers,
  traceMatchers,
} from '../../src/testing/index.ts';

test('matchers are those that expect.extend takes, and methods of the same names', () => {
  expectTypeOf<keyof typeof traceMatchers>().toEqualTypeOf<keyof TraceMatchers>();
  const methods = traceMatchers satisfies Record<
    string,
    (received: unknown, ...args: never[]) => { pass: boolean; message: () => string }
  >;
  expectTypeOf(methods.toHaveTree).parameters.toEqualTypeOf<[received: unknown, tree: string]>();
  expectTypeOf<TraceMatchers<Promise<void>>['toHaveCall']>().returns.toEqualTypeOf<Promise<void>>();
});

test('a trace is what assertions take, and so is a list that the reader read', () => {
  const check = async () => {
    const server = await startTraceServer({ project: 'a/b' });
    const trace = await server.trace('answer');
    assertCall(trace, /^a/, { inputs: { n: 1 }, usage: { m: { input: 1 } }, under: null });
    const [page = []] = [await server.reader.calls.pages().next()].map(({ value }) => value ?? []);
    assertCall(page, 'answer');
    expectTypeOf(findCalls(trace, 'answer')).toEqualTypeOf<TraceCall[]>();
    // @ts-expect-error there is no such token
    assertCall(trace, 'answer', { usage: { m: { inputs: 1 } } });
    // @ts-expect-error there is no such fact
    assertCall(trace, 'answer', { input: 1 });
    // @ts-expect-error the name comes first
    assertCall(trace, { error: true });
  };
  expectTypeOf(check).returns.toEqualTypeOf<Promise<void>>();
});

test('options of the server are options of init', () => {
  type Target = Awaited<ReturnType<typeof startTraceServer>>['options'];
  expectTypeOf<Target>().toExtend<InitOptions>();
});
