import { type Static, Type } from '@sinclair/typebox';
import { closed, Maybe } from './schema.ts';

/** One node of a query: an object with exactly one `$` key. `server/query` checks the shapes. */
export const Expression = Type.Recursive(
  (Expr) =>
    Type.Union([
      Type.Object({ $and: Type.Array(Expr, { minItems: 1 }) }, closed),
      Type.Object({ $or: Type.Array(Expr, { minItems: 1 }) }, closed),
      Type.Object({ $not: Type.Tuple([Expr]) }, closed),
      Type.Object({ $eq: Type.Tuple([Expr, Expr]) }, closed),
      Type.Object({ $gt: Type.Tuple([Expr, Expr]) }, closed),
      Type.Object({ $gte: Type.Tuple([Expr, Expr]) }, closed),
      Type.Object({ $lt: Type.Tuple([Expr, Expr]) }, closed),
      Type.Object({ $lte: Type.Tuple([Expr, Expr]) }, closed),
      Type.Object({ $in: Type.Tuple([Expr, Type.Array(Expr)]) }, closed),
      Type.Object(
        {
          $contains: Type.Object(
            { input: Expr, substr: Expr, case_insensitive: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])) },
            closed,
          ),
        },
        closed,
      ),
      Type.Object(
        {
          $containsToken: Type.Object(
            { input: Expr, substr: Expr, case_insensitive: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])) },
            closed,
          ),
        },
        closed,
      ),
      Type.Object({ $literal: Type.Unknown() }, closed),
      Type.Object({ $getField: Type.String() }, closed),
      Type.Object(
        {
          $convert: Type.Object(
            {
              input: Expr,
              to: Type.Union([
                Type.Literal('int'),
                Type.Literal('double'),
                Type.Literal('string'),
                Type.Literal('bool'),
                Type.Literal('exists'),
              ]),
            },
            closed,
          ),
        },
        closed,
      ),
    ]),
  { $id: 'Expression' },
);

/** Written out, since the type that the schema implies is too long for declaration files. */
export type Expression =
  | { $and: Expression[] }
  | { $or: Expression[] }
  | { $not: [Expression] }
  | { $eq: [Expression, Expression] }
  | { $gt: [Expression, Expression] }
  | { $gte: [Expression, Expression] }
  | { $lt: [Expression, Expression] }
  | { $lte: [Expression, Expression] }
  | { $in: [Expression, Expression[]] }
  | { $contains: TextSearch }
  | { $containsToken: TextSearch }
  | { $literal: unknown }
  | { $getField: string }
  | { $convert: { input: Expression; to: 'int' | 'double' | 'string' | 'bool' | 'exists' } };

interface TextSearch {
  input: Expression;
  substr: Expression;
  case_insensitive?: boolean | null;
}

/**
 * A query as it is sent. The expression is checked by the planner, whose errors name the operator, so the
 * schema says only that there is exactly this one key.
 */
export const QueryObject = Type.Object({ $expr: Type.Unsafe<Expression>(Type.Unknown()) }, closed);
export type QueryObject = Static<typeof QueryObject>;

export const SortItem = Type.Object(
  { field: Type.String(), direction: Type.Union([Type.Literal('asc'), Type.Literal('desc')]) },
  closed,
);
export type SortItem = Static<typeof SortItem>;

/** Members of a request that says which of the small records of a project are wanted: its prices, its feedback. */
export const RECORDS_QUERY = {
  project_id: Type.String(),
  fields: Maybe(Type.Array(Type.String())),
  query: Maybe(QueryObject),
  sort_by: Maybe(Type.Array(SortItem)),
  limit: Maybe(Type.Integer()),
  offset: Maybe(Type.Integer()),
};
