import type { TraceSkeleton } from '../../../src/ui/trace/layout/skeleton.ts';

export interface GivenCall {
  /** Index of the parent; left out: a root. */
  readonly parent?: number;
  readonly op?: string;
  readonly kind?: string;
  /** Milliseconds. */
  readonly start?: number;
  readonly end?: number | null;
  readonly state?: number;
  readonly error?: string;
  readonly name?: string;
  readonly model?: string;
  readonly cost?: number;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  readonly firstChunkMs?: number;
}

export const START_US = 1_800_000_000_000_000;

/** A skeleton of the calls given, in their order. */
export function skeletonOf(calls: readonly GivenCall[]): TraceSkeleton {
  const names = [...new Set(calls.map(({ op = 'step' }) => op))];
  const indexed = calls.map((call, index) => [index, call] as const);
  const map = <Value>(value: (call: GivenCall) => Value | undefined): Map<number, Value> =>
    new Map(
      indexed.flatMap(([index, call]) => {
        const found = value(call);
        return found === undefined ? [] : [[index, found] as const];
      }),
    );
  return {
    count: calls.length,
    ids: calls.map((_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`),
    parents: Int32Array.from(calls, ({ parent = -1 }) => parent),
    startedAt: Float64Array.from(calls, ({ start = 0 }) => START_US + start * 1000),
    endedAt: Float64Array.from(calls, ({ start = 0, end = start + 1 }) =>
      end === null ? Number.NaN : START_US + end * 1000,
    ),
    ops: names.map((name) => ({ name, kind: calls.find((call) => (call.op ?? 'step') === name)?.kind ?? 'other' })),
    op: Uint32Array.from(calls, ({ op = 'step' }) => names.indexOf(op)),
    names: map((call) => call.name),
    states: Uint8Array.from(calls, ({ state = 0 }) => state),
    tokensIn: Float64Array.from(calls, ({ tokensIn = 0 }) => tokensIn),
    tokensOut: Float64Array.from(calls, ({ tokensOut = 0 }) => tokensOut),
    costs: Float64Array.from(calls, ({ cost = Number.NaN }) => cost),
    errors: map((call) => call.error),
    models: map((call) => call.model),
    firstChunkMs: map((call) => call.firstChunkMs),
    received: calls.length,
    missingParents: calls.filter(({ parent }) => parent === -2).length,
  };
}
