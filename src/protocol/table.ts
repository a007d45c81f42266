import { type Static, Type } from '@sinclair/typebox';
import { SortItem } from './query.ts';
import { closed, AnyObject, Maybe, OrNull } from './schema.ts';

/** One row of a table; `original_index` is its place there. */
export const TableRow = Type.Object({
  digest: Type.String(),
  val: AnyObject,
  original_index: OrNull(Type.Integer()),
});
export type TableRow = Static<typeof TableRow>;

export const TableCreateRequest = Type.Object(
  {
    table: Type.Object({
      project_id: Type.String(),
      rows: Type.Array(AnyObject),
      expected_digest: Maybe(Type.String()),
    }),
  },
  closed,
);
export type TableCreateRequest = Static<typeof TableCreateRequest>;
/** The digests of the rows are in the order of the rows. */
export const TableCreateResponse = Type.Object({ digest: Type.String(), row_digests: Type.Array(Type.String()) });
export type TableCreateResponse = Static<typeof TableCreateResponse>;

export const TableQueryRequest = Type.Object(
  {
    project_id: Type.String(),
    digest: Type.String(),
    filter: Maybe(Type.Object({ row_digests: Maybe(Type.Array(Type.String())) }, closed)),
    limit: Maybe(Type.Integer()),
    offset: Maybe(Type.Integer()),
    sort_by: Maybe(Type.Array(SortItem)),
  },
  closed,
);
export type TableQueryRequest = Static<typeof TableQueryRequest>;
export const TableQueryResponse = Type.Object({ rows: Type.Array(TableRow) });
export type TableQueryResponse = Static<typeof TableQueryResponse>;

/** One step of an update; exactly one of the keys is there. */
export const TableChange = Type.Object({
  append: Maybe(Type.Object({ row: AnyObject })),
  pop: Maybe(Type.Object({ index: Type.Integer() })),
  insert: Maybe(Type.Object({ index: Type.Integer(), row: AnyObject })),
});
export type TableChange = Static<typeof TableChange>;

export const TableUpdateRequest = Type.Object(
  { project_id: Type.String(), base_digest: Type.String(), updates: Type.Array(TableChange) },
  closed,
);
export type TableUpdateRequest = Static<typeof TableUpdateRequest>;
/** For each update the digest of the row that came or, with `pop`, went. */
export const TableUpdateResponse = Type.Object({
  digest: Type.String(),
  updated_row_digests: Type.Array(Type.String()),
});
export type TableUpdateResponse = Static<typeof TableUpdateResponse>;

export const TableQueryStatsRequest = Type.Object({ project_id: Type.String(), digest: Type.String() }, closed);
export type TableQueryStatsRequest = Static<typeof TableQueryStatsRequest>;
export const TableQueryStatsResponse = Type.Object({ count: Type.Integer() });
export type TableQueryStatsResponse = Static<typeof TableQueryStatsResponse>;

export const TableQueryStatsBatchRequest = Type.Object(
  {
    project_id: Type.String(),
    digests: Maybe(Type.Array(Type.String())),
    include_storage_size: Maybe(Type.Boolean({ default: false })),
  },
  closed,
);
export type TableQueryStatsBatchRequest = Static<typeof TableQueryStatsBatchRequest>;
export const TableQueryStatsBatchResponse = Type.Object({
  tables: Type.Array(
    Type.Object({ digest: Type.String(), count: Type.Integer(), storage_size_bytes: OrNull(Type.Integer()) }),
  ),
});
export type TableQueryStatsBatchResponse = Static<typeof TableQueryStatsBatchResponse>;
