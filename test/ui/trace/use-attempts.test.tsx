import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { type ReadInputs, useAttempts } from '../../../src/ui/trace/use-attempts.ts';
import type { LaidOutTrace } from '../../../src/ui/trace/use-trace-layout.ts';
import { type GivenCall, skeletonOf, START_US } from './skeletons.ts';

afterEach(cleanup);

const failing = (start: number): GivenCall => ({ parent: 0, op: 'send', start, end: start + 1, state: 1 });

/** So many calls of an op that failed one after the other. */
function traceOf(count: number): LaidOutTrace {
  const sends = Array.from({ length: count }, (_, index) => failing(2 * index + 1));
  const skeleton = skeletonOf([{ op: 'run', end: 999 }, ...sends]);
  return { skeleton, layout: layOut(skeleton, START_US) };
}

function show(trace: LaidOutTrace, readInputs?: ReadInputs) {
  const { result, rerender } = renderHook((shown: LaidOutTrace) => useAttempts(shown, readInputs), {
    initialProps: trace,
  });
  return {
    rerender,
    attempts: () => [...(result.current?.layout.attempts ?? [])].slice(1),
    shown: () => result.current,
  };
}

test.each<readonly [what: string, inputs: readonly string[], attempts: readonly number[]]>([
  ['the same was asked for', ['a', 'a', 'a'], [1, 2, 3]],
  ['it was a loop over things', ['a', 'b', 'c'], [0, 0, 0]],
  ['one thing of a loop was tried again', ['a', 'b', 'b'], [0, 1, 2]],
  ['two things were', ['a', 'a', 'b', 'b'], [1, 2, 1, 2]],
  ['not all inputs are known', ['a'], [0, 0]],
])('calls that failed one after the other are attempts or not, where %s', async (_, inputs, attempts) => {
  const trace = traceOf(attempts.length);
  const answers: (() => void)[] = [];
  const { attempts: shown } = show(trace, async (ids) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return new Map(inputs.map((input, index) => [ids[index] ?? '', input]));
  });
  // Nothing is said before it is known.
  expect(shown()).toEqual(attempts.map(() => 0));
  await act(async () => answers.forEach((answer) => answer()));
  expect(shown()).toEqual(attempts);
});

test('where inputs cannot be read, and where nobody can read them, nothing is an attempt', async () => {
  const { attempts } = show(traceOf(2), () => Promise.reject(new Error('the service is away')));
  await act(async () => undefined);
  expect(attempts()).toEqual([0, 0]);
  expect(show(traceOf(2)).attempts()).toEqual([0, 0]);
});

test('a trace that grows asks for the inputs that it does not know, and one without failures for none', async () => {
  const asked: (readonly string[])[] = [];
  const read: ReadInputs = async (ids) => {
    asked.push(ids);
    return new Map(ids.map((id) => [id, 'a']));
  };
  const single = traceOf(1);
  const { rerender, attempts, shown } = show(single, read);
  expect(shown()).toBe(single);
  rerender(traceOf(2));
  await waitFor(() => expect(attempts()).toEqual([1, 2]));
  const grown = traceOf(3);
  rerender(grown);
  await waitFor(() => expect(attempts()).toEqual([1, 2, 3]));
  expect(asked).toEqual([grown.skeleton.ids.slice(1, 3), grown.skeleton.ids.slice(3)]);
});

test('of a trace with many failures no more inputs are read than one looks at', async () => {
  const parents = Array.from({ length: 200 }, (_, index): GivenCall => ({ parent: 0, op: 'step', start: index }));
  const sends = parents.flatMap((_, index) =>
    [failing(index), failing(index + 1)].map((call) => ({ ...call, parent: index + 1 })),
  );
  const skeleton = skeletonOf([{ op: 'run', end: 999 }, ...parents, ...sends]);
  const asked: (readonly string[])[] = [];
  show({ skeleton, layout: layOut(skeleton, START_US) }, async (ids) => {
    asked.push(ids);
    return new Map();
  });
  expect(asked.map(({ length }) => length)).toEqual([50]);
});
