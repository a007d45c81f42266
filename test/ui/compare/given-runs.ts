import type { Call } from '../../../src/protocol/call.ts';
import type { ComparedAnswer } from '../../../src/ui/compare/answer/answer.ts';
import { type Comparer, comparerOf, type CompareReader } from '../../../src/ui/compare/answer/comparer.ts';
import { type TestCall, traceOf } from '../../reader/compare/traces.ts';

export const V1 = `svc:///acme/demo/op/plan:${'a'.repeat(43)}`;
export const V2 = `svc:///acme/demo/op/plan:${'b'.repeat(43)}`;
export const promptRef = (version: string): string => `svc:///acme/demo/object/prompt-qa:${version}`;

/** Objects as a service would have them: values by name and digest. */
const VERSIONS: Readonly<Record<string, { readonly val: unknown; readonly version_index: number }>> = {
  [`plan ${'a'.repeat(43)}`]: { val: 'function plan() {\n  return 1;\n}', version_index: 7 },
  [`plan ${'b'.repeat(43)}`]: { val: 'function plan() {\n  return 2;\n}', version_index: 8 },
  'prompt-qa p1': { val: 'Be kind.\nBe brief.', version_index: 3 },
  'prompt-qa p2': { val: 'Be kind.\nBe very brief.', version_index: 4 },
};

/** Reads what is in memory, as far as a comparison asks. */
export function readerOf(...traces: readonly (readonly Call[])[]): CompareReader {
  const all = traces.flat();
  return {
    calls: {
      get: async (id) => all.find((call) => call.id === id),
      async *query({ filter, limit, sort_by: sorted } = {}) {
        const { trace_ids: traceIds, call_ids: callIds, op_names: ops } = filter ?? {};
        const found = all.filter(
          (call) =>
            (traceIds?.includes(call.trace_id) ?? true) &&
            (callIds?.includes(call.id) ?? true) &&
            // The run before: the one that was given before the last.
            (ops === undefined ||
              ops === null ||
              (call.parent_id === null && call !== all.findLast((each) => each.parent_id === null))),
        );
        const ordered = sorted === undefined ? found : found.toReversed();
        yield* ordered.slice(0, limit ?? undefined);
      },
    },
    objects: {
      get: async (name, digest) => {
        const version = VERSIONS[`${name} ${digest}`];
        // As much of a version as is looked at.
        return version as Awaited<ReturnType<CompareReader['objects']['get']>>;
      },
    },
    files: { get: async () => undefined },
  };
}

/** Two runs, as a page gets them. */
export async function compared(
  a: TestCall,
  b: TestCall,
): Promise<{ readonly answer: ComparedAnswer; readonly comparer: Comparer }> {
  const [before, after] = [traceOf(a), traceOf(b)];
  const comparer = comparerOf(readerOf(before, after));
  const answer = await comparer.compare({ a: traceIdOf(before), b: traceIdOf(after) });
  if (answer.state !== 'compared') throw new Error('A side is missing');
  return { answer, comparer };
}

export function traceIdOf([first]: readonly Call[]): string {
  return first?.trace_id ?? '';
}

/** An answer of a few calls. */
export function answerOf(
  change: Partial<Record<'root' | 'plan' | 'search' | 'chat', Partial<TestCall>>> = {},
  more: readonly TestCall[] = [],
): TestCall {
  const { root, plan, search, chat } = change;
  return {
    op: 'answer',
    inputs: { question: 'Why?' },
    output: 'Because.',
    ...root,
    calls: [
      { op: V1, inputs: { question: 'Why?' }, output: 'a plan', ...plan },
      { op: 'search', inputs: { text: 'why' }, output: ['doc-1'], ...search },
      {
        op: 'chat',
        attributes: { kind: 'llm' },
        inputs: { prompt: promptRef('p1'), request: { model: 'gpt-a', temperature: 0.2 } },
        output: { text: 'Because.' },
        summary: {
          usage: { 'gpt-a': { requests: 1, input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 4 } },
        },
        ...chat,
      },
      ...more,
    ],
  };
}
