import type { CallOutline, ModelUsage } from '../../contract/overviews.ts';
import {
  NAMED_PARENT,
  NO_PARENT,
  TRACE_STATUSES,
  type TraceColumns,
  type UsageColumns,
} from '../../contract/trace-columns.ts';
import { noTokens, TOKEN_KINDS } from './call-usage.ts';

/** The members of a call of a trace that are told. */
export type TracedCall = Pick<
  CallOutline,
  | 'id'
  | 'parent_id'
  | 'started_at'
  | 'ended_at'
  | 'op_name'
  | 'display_name'
  | 'kind'
  | 'status'
  | 'error'
  | 'first_chunk_ms'
  | 'usages'
>;

/** Puts the calls of a trace into columns; they come in the order in which they started, in as many parts as they like. */
export class TraceColumnsMaker {
  readonly #places = new Map<string, number>();

  take(calls: readonly TracedCall[]): TraceColumns {
    const ops = new OpList();
    const columns = emptyColumns(calls.length);
    for (const [index, call] of calls.entries()) {
      columns.ids.push(call.id);
      columns.parents[index] = this.#parentOf(call, columns.namedParents);
      columns.startedAt[index] = call.started_at;
      columns.endedAt[index] = call.ended_at ?? Number.NaN;
      columns.op[index] = ops.placeOf(call);
      columns.statuses[index] = TRACE_STATUSES.indexOf(call.status);
      if (call.display_name !== null) columns.displayNames.set(index, call.display_name);
      if (call.error !== null) columns.errors.set(index, call.error);
      if (call.first_chunk_ms !== null) columns.firstChunkMs.set(index, call.first_chunk_ms);
    }
    return { ...columns, ops: ops.list, usages: usageColumns(calls) };
  }

  /** A call that names itself, or one that started later, names its parent by its id. */
  #parentOf({ id, parent_id: parentId }: TracedCall, namedParents: string[]): number {
    const place = parentId === null ? NO_PARENT : (this.#places.get(parentId) ?? NAMED_PARENT);
    if (parentId !== null && place === NAMED_PARENT) namedParents.push(parentId);
    this.#places.set(id, this.#places.size);
    return place;
  }
}

function emptyColumns(count: number) {
  return {
    count,
    ids: [] as string[],
    parents: new Int32Array(count),
    namedParents: [] as string[],
    startedAt: new Float64Array(count),
    endedAt: new Float64Array(count),
    op: new Uint32Array(count),
    statuses: new Uint8Array(count),
    displayNames: new Map<number, string>(),
    errors: new Map<number, string>(),
    firstChunkMs: new Map<number, number>(),
  };
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

  placeOf({ op_name: name, kind }: TracedCall): number {
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

function usageColumns(calls: readonly TracedCall[]): UsageColumns {
  const sources = new SourceList();
  const places: number[] = [];
  const source: number[] = [];
  const tokens: number[] = [];
  for (const [index, { usages }] of calls.entries()) {
    for (const usage of usages) {
      places.push(index);
      source.push(sources.placeOf(usage));
      for (const kind of TOKEN_KINDS) tokens.push(usage.tokens[kind]);
    }
  }
  const columns = { places: Uint32Array.from(places), source: Uint32Array.from(source) };
  return { sources: sources.list, ...columns, tokens: Float64Array.from(tokens) };
}

class SourceList {
  readonly list: Omit<ModelUsage, 'tokens'>[] = [];
  readonly #places = new Map<string, number>();

  placeOf({ model, provider, host }: ModelUsage): number {
    const key = JSON.stringify([model, provider, host]);
    const place = this.#places.get(key) ?? this.list.push({ model, provider, host }) - 1;
    this.#places.set(key, place);
    return place;
  }
}
