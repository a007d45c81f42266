import { type Static, Type } from '@sinclair/typebox';
import { closed, DateTime, Maybe, OrNull } from '../schema.ts';
import { CALLS_SELECTION } from './calls-selection.ts';

export const CallsStatsRequest = Type.Object(
  {
    ...CALLS_SELECTION,
    histogram: Maybe(Type.Object({ buckets: Maybe(Type.Integer()) }, closed)),
    facets: Maybe(Type.Array(Type.Object({ field: Type.String(), limit: Maybe(Type.Integer()) }, closed))),
  },
  closed,
);
export type CallsStatsRequest = Static<typeof CallsStatsRequest>;

/** Tokens of calls by what they are charged as; `total` as producers sum them up. */
export const TokenSums = Type.Object({
  input: Type.Number(),
  output: Type.Number(),
  cache_read: Type.Number(),
  cache_write: Type.Number(),
  reasoning: Type.Number(),
  total: Type.Number(),
});
export type TokenSums = Static<typeof TokenSums>;

/** Calls over time: `counts[n]` started in the n-th part of `bucket_ms` from `from` on. */
export const Histogram = Type.Object({
  from: DateTime,
  to: DateTime,
  bucket_ms: Type.Number(),
  counts: Type.Array(Type.Integer()),
  errors: Type.Array(Type.Integer()),
});
export type Histogram = Static<typeof Histogram>;

/** The values that a field has most often. */
export const Facet = Type.Object({
  field: Type.String(),
  values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
  /** Calls with a value that is not listed. */
  other: Type.Integer(),
  distinct: Type.Integer(),
});
export type Facet = Static<typeof Facet>;

export const CallsStatsResponse = Type.Object({
  count: Type.Integer(),
  errors: Type.Integer(),
  running: Type.Integer(),
  never_ended: Type.Integer(),
  latency_ms: OrNull(Type.Object({ p50: Type.Number(), p95: Type.Number(), p99: Type.Number() })),
  tokens: TokenSums,
  cost: OrNull(Type.Number()),
  unpriced_models: Type.Array(Type.String()),
  models: Type.Array(
    Type.Object({
      model: Type.String(),
      calls: Type.Integer(),
      tokens: Type.Number(),
      cost: OrNull(Type.Number()),
    }),
  ),
  first_started_at: OrNull(DateTime),
  last_started_at: OrNull(DateTime),
  histogram: Type.Optional(Histogram),
  facets: Type.Optional(Type.Array(Facet)),
});
export type CallsStatsResponse = Static<typeof CallsStatsResponse>;
