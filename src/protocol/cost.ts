import { type Static, Type } from '@sinclair/typebox';
import { QueryObject, RECORDS_QUERY } from './query.ts';
import { closed, DateTime, Maybe, OrNull } from './schema.ts';

/** The price of one model as it is sent; prices are those of one token. */
export const CostEntry = Type.Object({
  prompt_token_cost: Type.Number(),
  completion_token_cost: Type.Number(),
  cache_read_input_token_cost: Maybe(Type.Number()),
  cache_creation_input_token_cost: Maybe(Type.Number()),
  reasoning_token_cost: Maybe(Type.Number()),
  prompt_token_cost_unit: Maybe(Type.String({ default: 'USD' })),
  completion_token_cost_unit: Maybe(Type.String({ default: 'USD' })),
  effective_date: Maybe(DateTime),
  provider_id: Maybe(Type.String({ default: 'default' })),
});
export type CostEntry = Static<typeof CostEntry>;

/** Prices that a model may have beside those of its input and output. */
export type BucketPrice = 'cache_read_input_token_cost' | 'cache_creation_input_token_cost' | 'reasoning_token_cost';

/** An entry of the price list of an operator, which no request carries. */
export const DefaultPriceEntry = Type.Object({ llm_id: Type.String(), ...CostEntry.properties }, closed);
export type DefaultPrice = Static<typeof DefaultPriceEntry>;

export const CostCreateRequest = Type.Object(
  {
    project_id: Type.String(),
    costs: Type.Record(Type.String(), CostEntry),
    svc_user_id: Maybe(Type.String()),
  },
  closed,
);
export type CostCreateRequest = Static<typeof CostCreateRequest>;

/** Pairs of the new id and the model it is of, in the order of the request. */
export const CostCreateResponse = Type.Object({ ids: Type.Array(Type.Tuple([Type.String(), Type.String()])) });
export type CostCreateResponse = Static<typeof CostCreateResponse>;

/**
 * A price as it is read; fields that were not asked for are null. Prices of their own for cached and reasoning tokens are
 * there where the model has one, and where they were asked for by name.
 */
export const CostRecord = Type.Object({
  id: OrNull(Type.String()),
  llm_id: OrNull(Type.String()),
  prompt_token_cost: OrNull(Type.Number()),
  completion_token_cost: OrNull(Type.Number()),
  cache_read_input_token_cost: Maybe(Type.Number()),
  cache_creation_input_token_cost: Maybe(Type.Number()),
  reasoning_token_cost: Maybe(Type.Number()),
  prompt_token_cost_unit: OrNull(Type.String()),
  completion_token_cost_unit: OrNull(Type.String()),
  effective_date: OrNull(DateTime),
  provider_id: OrNull(Type.String()),
});
export type CostRecord = Static<typeof CostRecord>;

export const CostQueryRequest = Type.Object(RECORDS_QUERY, closed);
export type CostQueryRequest = Static<typeof CostQueryRequest>;
export const CostQueryResponse = Type.Object({ results: Type.Array(CostRecord) });
export type CostQueryResponse = Static<typeof CostQueryResponse>;

/** The query names ids and nothing else. */
export const CostPurgeRequest = Type.Object({ project_id: Type.String(), query: QueryObject }, closed);
export type CostPurgeRequest = Static<typeof CostPurgeRequest>;
