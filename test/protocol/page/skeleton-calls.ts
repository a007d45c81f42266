import { DETACHED, ROOT, SKELETON_STATES, type SkeletonBlock } from '../../../src/protocol/page/skeleton.ts';

/** A call without its contents, by itself. */
export interface SkeletonCall {
  readonly id: string;
  readonly parentId: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly op: string;
  readonly kind: string;
  readonly name: string;
  readonly state: (typeof SKELETON_STATES)[number];
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly cost: number | null;
  readonly error: string | null;
  readonly model: string | null;
  readonly firstChunkMs: number | null;
}

/** Of calls of which nothing else is said, in µs since 1970. */
export const START = 1_767_225_600_000_000;

/** A call with what every call has. */
export function skeletonCall(id: string, fields: Partial<SkeletonCall>): SkeletonCall {
  return {
    id,
    parentId: null,
    startedAt: START,
    endedAt: START + 1_500_000,
    op: 'answer',
    kind: 'agent',
    name: 'answer',
    state: 'success',
    tokensIn: 0,
    tokensOut: 0,
    cost: null,
    error: null,
    model: null,
    firstChunkMs: null,
    ...fields,
  };
}

/** Two blocks of calls with all that a skeleton can say: the bytes of these are what readers of any version know. */
export const PINNED_CALLS: readonly (readonly SkeletonCall[])[] = [
  [
    skeletonCall('0199c8f0-7a3b-7000-8a00-000000000001', {}),
    skeletonCall('0199c8f0-7a3b-7000-8a00-000000000002', {
      parentId: '0199c8f0-7a3b-7000-8a00-000000000001',
      startedAt: START + 977,
      op: 'openai.chat.completions.create',
      kind: 'llm',
      name: 'Ask the model ä 😀',
      tokensIn: 1200,
      tokensOut: 300,
      cost: 0.0123,
      model: 'gpt-4o-mini',
      firstChunkMs: 211.5,
    }),
    skeletonCall('0199c8f0-7a3b-7000-8a00-000000000003', {
      parentId: '0199c8f0-7a3b-7000-8a00-000000000001',
      startedAt: START - 5,
      state: 'error',
      error: 'Error: no',
    }),
  ],
  [
    skeletonCall('named', { parentId: 'gone', endedAt: null, state: 'running' }),
    skeletonCall('00112233445566778899aabbccddeeff', { parentId: 'named', endedAt: null, state: 'never_ended' }),
    skeletonCall('again', { cost: -0.5, model: 'gpt-4o-mini', error: 'Error: no', state: 'descendant_error' }),
  ],
];

/** Makes blocks of the calls of one trace. */
export function blocksOf(parts: readonly (readonly SkeletonCall[])[]): SkeletonBlock[] {
  const places = new Map<string, number>();
  return parts.map((calls) => {
    const namedParents: string[] = [];
    const parents = calls.map(({ id, parentId }) => {
      const place = parentId === null ? ROOT : (places.get(parentId) ?? DETACHED);
      if (place === DETACHED) namedParents.push(parentId ?? '');
      places.set(id, places.size);
      return place;
    });
    const sparse = <Value>(valueOf: (call: SkeletonCall) => Value | null) =>
      new Map(
        calls.flatMap((call, index): [number, Value][] => {
          const value = valueOf(call);
          return value === null ? [] : [[index, value]];
        }),
      );
    return {
      ids: calls.map(({ id }) => id),
      parents: Int32Array.from(parents),
      namedParents,
      startedAt: Float64Array.from(calls, ({ startedAt }) => startedAt),
      endedAt: Float64Array.from(calls, ({ endedAt }) => endedAt ?? Number.NaN),
      // Ops of a block may be the same ones.
      ops: calls.map(({ op, kind }) => ({ name: op, kind })),
      op: Uint32Array.from(calls.keys()),
      names: sparse(({ name, op }) => (name === op ? null : name)),
      states: Uint8Array.from(calls, ({ state }) => SKELETON_STATES.indexOf(state)),
      tokensIn: Float64Array.from(calls, ({ tokensIn }) => tokensIn),
      tokensOut: Float64Array.from(calls, ({ tokensOut }) => tokensOut),
      costs: Float64Array.from(calls, ({ cost }) => cost ?? Number.NaN),
      errors: sparse(({ error }) => error),
      models: sparse(({ model }) => model),
      firstChunkMs: sparse(({ firstChunkMs }) => firstChunkMs),
    };
  });
}
