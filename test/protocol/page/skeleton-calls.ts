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
