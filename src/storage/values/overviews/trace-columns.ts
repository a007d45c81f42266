import type { CallOutline, ModelUsage } from '../../contract/overviews.ts';
import {
  NAMED_PARENT,
  NO_PARENT,
  TRACE_STATUSES,
  type TraceColumns,
  type UsageColumns,
} from '../../contract/trace-columns.ts';
import { noTokens, TOKEN_KINDS } from './call-usage.ts';

/** Puts the calls of a trace into columns; they come in the order in which they started, in as many parts as they like. */
export class TraceColumnsMaker {
  readonly #places = new Map<string, number>();

  take(calls: readonly CallOutline[]): TraceColumns {
    const ops = new OpList();
    return {
      count: calls.length,
      ids: calls.map(({ id }) => id),
      ...this.#parentsOf(calls),
      startedAt: Float64Array.from(calls, ({ started_at: startedAt }) => startedAt),
      endedAt: Float64Array.from(calls, ({ ended_at: endedAt }) => endedAt ?? Number.NaN),
      op: Uint32Array.from(calls, (call) => ops.placeOf(call)),
      ops: ops.list,
      statuses: Uint8Array.from(calls, ({ status }) => TRACE_STATUSES.indexOf(status)),
      displayNames: sparse(calls, ({ display_name: name }) => name),
      errors: sparse(calls, ({ error }) => error),
      firstChunkMs: sparse(calls, ({ first_chunk_ms: ms }) => ms),
      usages: usageColumns(calls),
    };
  }

  /** A call that names itself, or one that started later, names its parent by its id. */
  #parentsOf(calls: readonly CallOutline[]): Pick<TraceColumns, 'parents' | 'namedParents'> {
    const namedParents: string[] = [];
    const parents = new Int32Array(calls.length);
    for (const [index, { id, parent_id: parentId }] of calls.entries()) {
      const place = parentId === null ? NO_PARENT : (this.#places.get(parentId) ?? NAMED_PARENT);
      parents[index] = place;
      if (parentId !== null && place === NAMED_PARENT) namedParents.push(parentId);
      this.#places.set(id, this.#places.size);
    }
    return { parents, namedParents };
  }
}

/** The uses of a model that a call has, by their place. */
export function usageAt({ sources, source, tokens }: UsageColumns, index: number): ModelUsage {
  const sums = noTokens();
  for (const [offset, kind] of TOKEN_KINDS.entries()) sums[kind] = tokens[index * TOKEN_KINDS.length + offset] ?? 0;
  const { model, provider, host } = sources[source[index] ?? 0] ?? NOBODY;
  return { model, provider, host, tokens: sums };
}

const NOBODY = { model: '', provider: null, host: null };

class OpList {
  readonly list: { name: string; kind: string | null }[] = [];
  readonly #places = new Map<string, Map<string | null, number>>();

  placeOf({ op_name: name, kind }: CallOutline): number {
    let kinds = this.#places.get(name);
    if (kinds === undefined) this.#places.set(name, (kinds = new Map()));
    let place = kinds.get(kind);
    if (place === undefined) {
      place = this.list.push({ name, kind }) - 1;
      kinds.set(kind, place);
    }
    return place;
  }
}

function sparse<Value>(calls: readonly CallOutline[], valueOf: (call: CallOutline) => Value | null) {
  const column = new Map<number, Value>();
  for (const [index, call] of calls.entries()) {
    const value = valueOf(call);
    if (value !== null) column.set(index, value);
  }
  return column;
}

function usageColumns(calls: readonly CallOutline[]): UsageColumns {
  const sources: Omit<ModelUsage, 'tokens'>[] = [];
  const known = new Map<string, number>();
  const places: number[] = [];
  const source: number[] = [];
  const tokens: number[] = [];
  for (const [index, { usages }] of calls.entries()) {
    for (const { model, provider, host, tokens: sums } of usages) {
      const key = JSON.stringify([model, provider, host]);
      const at = known.get(key) ?? sources.push({ model, provider, host }) - 1;
      known.set(key, at);
      places.push(index);
      source.push(at);
      for (const kind of TOKEN_KINDS) tokens.push(sums[kind]);
    }
  }
  const columns = { places: Uint32Array.from(places), source: Uint32Array.from(source) };
  return { sources, ...columns, tokens: Float64Array.from(tokens) };
}
