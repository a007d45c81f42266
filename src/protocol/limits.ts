const MIB = 1024 * 1024;

/** Limits of the service with their defaults. `/server_info` publishes the values in force under these keys. */
export const DEFAULT_LIMITS = {
  /** Decoded bytes of a request body. */
  request_bytes: 32 * MIB,
  /** Decoded bytes of a `/file/create` request. */
  file_request_bytes: 110 * MIB,
  /** Bytes of one file sent as multipart. */
  file_bytes: 100 * MIB,
  /** Bytes of one file sent as base64 inside JSON. */
  file_json_bytes: 20 * MIB,
  /** Canonical bytes of attributes, inputs, output and summary together, for start and end each. */
  call_bytes: 16 * MIB,
  /** Canonical bytes of an object's value. */
  object_bytes: 16 * MIB,
  /** Canonical bytes of a table row. */
  row_bytes: 8 * MIB,
  /** Canonical bytes of a feedback payload. */
  feedback_payload_bytes: MIB,
  /** Levels inside one user value. */
  json_depth: 512,
  /** Levels inside a request body. */
  body_depth: 5000,
  /** Bytes of memory that the values of a request body may take, by an estimate; those of large bodies seven times their size. */
  body_memory_bytes: 64 * MIB,
  /** Code points of an op name that is not a reference. */
  op_name_characters: 128,
  /** Code points of an object id. */
  object_id_characters: 128,
  /** Code points of a display name; starts and ends are cut to it. */
  display_name_characters: 1024,
  /** Code points of the text of a note. */
  note_characters: 1024,
  /** UTF-8 bytes of an exception text; longer ones are cut. */
  exception_bytes: 256 * 1024,
  /** Entries of a filter list. */
  filter_items: 1000,
  /** References in one `/refs/read_batch`. */
  refs_per_batch: 1000,
  /** Bytes of the values that references name, in one `/refs/read_batch` and in one expanded call. */
  ref_value_bytes: 64 * MIB,
  /** Bytes of the calls that are sorted by values behind references. */
  sorted_bytes: 64 * MIB,
  /** Ids in one `/calls/delete`. */
  calls_per_delete: 1000,
  /** Models in one `/cost/create`. */
  costs_per_create: 1000,
  /** Digests in one `/obj/delete`. */
  digests_per_delete: 100,
  /** Items in one `/call/upsert_batch`. */
  batch_items: 10_000,
  /** Items of an `$in` list. */
  in_items: 10_000,
  /** Updates in one `/table/update`. */
  table_updates: 10_000,
  /** Rows in one `/table/create`. */
  rows_per_table: 1_000_000,
  /** Nested operators of a query. */
  query_depth: 50,
  /** Operators and operands of a query together. */
  query_nodes: 5000,
  /** Items of all `$in` lists of a query together. */
  query_items: 20_000,
  /** UTF-16 units of all literals of a query together. */
  literal_characters: 2_000_000,
  /** UTF-16 units of the literals of a query that are searched in one another. */
  searched_characters: 200_000,
  /** How often a query asks for the feedback on a call: once for each comparison with a value of it. */
  query_feedback: 100,
  /** UTF-16 units of the path of a field. */
  path_characters: 10_000,
  /** UTF-16 units of the paths of all fields of a query together. */
  query_path_characters: 250_000,
  /** Items of `sort_by`. */
  sort_items: 10,
  /** Entries of `expand_columns`. */
  expand_columns: 100,
  /** Entries of `columns`. */
  columns: 200,
  /** Milliseconds until the first record of a read. */
  read_ms: 60_000,
  /** Milliseconds in which the calls of the runs of a page are added up. */
  sums_ms: 1000,
  /** Milliseconds of a whole stream. */
  stream_ms: 600_000,
  /** Streams of one key at a time. */
  streams_per_key: 32,
} as const satisfies Record<string, number>;

export type Limits = { readonly [key in keyof typeof DEFAULT_LIMITS]: number };
