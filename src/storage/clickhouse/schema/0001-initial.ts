/**
 * Times are microseconds since 1970 as Int64, since those of the contract reach further than DateTime64. Bodies and the
 * exception are never empty texts, so one stands for none; ids that a call may lack are NULL. Steps
 * are any numbers. What overviews show of bodies stands beside them, so that they are not read for that.
 */
const CALLS = `
CREATE TABLE calls (
  project_id LowCardinality(String), id String, trace_id String,
  parent_id Nullable(String), thread_id Nullable(String), turn_id Nullable(String),
  op_name LowCardinality(String), op_label LowCardinality(String), display_name String, name_rank UInt8,
  started_at Int64 CODEC(Delta(8), ZSTD(1)), ended_at Nullable(Int64) CODEC(ZSTD(1)),
  exception String CODEC(ZSTD(1)), has_child_errors UInt8,
  user_id LowCardinality(String), run_id Nullable(String), run_step Nullable(Float64), run_step_end Nullable(Float64),
  attributes String CODEC(ZSTD(3)), inputs String CODEC(ZSTD(3)), otel_dump String CODEC(ZSTD(3)),
  output String CODEC(ZSTD(3)), summary String CODEC(ZSTD(3)),
  input_refs Array(String) CODEC(ZSTD(1)), output_refs Array(String) CODEC(ZSTD(1)),
  kind LowCardinality(Nullable(String)), error String CODEC(ZSTD(1)), error_type LowCardinality(Nullable(String)),
  first_chunk_ms Nullable(Float64), model LowCardinality(Nullable(String)), usages String CODEC(ZSTD(3)),
  input_preview Nullable(String) CODEC(ZSTD(1)), output_preview Nullable(String) CODEC(ZSTD(1)),
  revision Float64, body_bytes UInt64, is_odd UInt8, ver UInt64, is_deleted UInt8,
  INDEX ix_id id TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX ix_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_parent parent_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_thread thread_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_op op_name TYPE set(256) GRANULARITY 1,
  INDEX ix_odd is_odd TYPE minmax GRANULARITY 1,
  INDEX ix_input_refs input_refs TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_output_refs output_refs TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = ReplacingMergeTree(ver, is_deleted)
PARTITION BY toYYYYMM(toDateTime(intDiv(started_at, 1000000), 'UTC'))
PRIMARY KEY (project_id, intDiv(started_at, 60000000))
ORDER BY (project_id, intDiv(started_at, 60000000), id)
SETTINGS index_granularity = 2048, index_granularity_bytes = 33554432, min_bytes_for_wide_part = 0`;

/** Facts that writers must know of a call, by its id; a deleted one stays here, so that it never comes back. */
const CALL_KEYS = `
CREATE TABLE call_keys (
  project_id LowCardinality(String), id String, trace_id String, parent_id Nullable(String),
  started_at Int64, ver UInt64, is_gone UInt8,
  INDEX ix_parent parent_id TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX ix_trace trace_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = ReplacingMergeTree(ver)
ORDER BY (project_id, id)
SETTINGS index_granularity = 2048`;

/** Ends and names of calls whose starts have not come, and names that were given lately. */
const CALL_HALVES = `
CREATE TABLE call_halves (
  project_id LowCardinality(String), id String, kind LowCardinality(String),
  ended_at Int64, exception String, output String, summary String, output_refs Array(String),
  revision Float64, run_step_end Nullable(Float64), display_name Nullable(String),
  written_at Int64, ver UInt64, is_deleted UInt8
) ENGINE = ReplacingMergeTree(ver, is_deleted)
ORDER BY (project_id, id, kind)`;

/** When the calls of a trace have started: at least that time, so that reads of a trace look at few months. */
const TRACE_TIME = `
CREATE TABLE trace_time (
  project_id LowCardinality(String), trace_id String,
  first SimpleAggregateFunction(min, Int64), last SimpleAggregateFunction(max, Int64)
) ENGINE = AggregatingMergeTree
ORDER BY (project_id, trace_id)`;

/** Numbers of versions are places in the order of creation: two services may write versions of one name. */
const OBJECTS = `
CREATE TABLE objects (
  project_id LowCardinality(String), object_id String, kind LowCardinality(String), digest String, created_at Int64,
  val String CODEC(ZSTD(3)), size_bytes UInt64, base_object_class Nullable(String), leaf_object_class Nullable(String),
  user_id String, latest_at Int64, deleted_at Nullable(Int64), deletion Nullable(String), ver UInt64
) ENGINE = ReplacingMergeTree(ver)
ORDER BY (project_id, object_id, kind, created_at, digest)`;

/** Bytes are kept as base64: they travel as JSON. The first name stays, so an earlier one has the higher version. */
const FILES = `
CREATE TABLE files (
  project_id LowCardinality(String), digest String, name String, content String CODEC(ZSTD(3)), size UInt64, ver UInt64
) ENGINE = ReplacingMergeTree(ver)
ORDER BY (project_id, digest)`;

const TABLES = `
CREATE TABLE tables (
  project_id LowCardinality(String), digest String, row_digests Array(String) CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree
ORDER BY (project_id, digest)`;

const TABLE_ROWS = `
CREATE TABLE table_rows (
  project_id LowCardinality(String), digest String, val String CODEC(ZSTD(3))
) ENGINE = ReplacingMergeTree
ORDER BY (project_id, digest)`;

const COSTS = `
CREATE TABLE costs (
  project_id LowCardinality(String), id String, cost String, ver UInt64, is_deleted UInt8
) ENGINE = ReplacingMergeTree(ver, is_deleted)
ORDER BY (project_id, id)`;

const VIEWS = `
CREATE TABLE views (
  project_id LowCardinality(String), id String, view String, ver UInt64, is_deleted UInt8
) ENGINE = ReplacingMergeTree(ver, is_deleted)
ORDER BY (project_id, id)`;

const FEEDBACK = `
CREATE TABLE feedback (
  project_id LowCardinality(String), id String, svc_ref String, creator Nullable(String), created_at Int64,
  feedback_type LowCardinality(String), payload String CODEC(ZSTD(3)), annotation_ref Nullable(String),
  runnable_ref Nullable(String), call_ref Nullable(String), trigger_ref Nullable(String), queue_id Nullable(String),
  svc_user_id String, ver UInt64, is_deleted UInt8,
  INDEX ix_ref svc_ref TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = ReplacingMergeTree(ver, is_deleted)
ORDER BY (project_id, id)`;

/** Who does the work that one service does for all, until when. */
const LEASES = `
CREATE TABLE leases (name String, holder String, until Int64, ver UInt64)
ENGINE = ReplacingMergeTree(ver)
ORDER BY name`;

export const initialSchema: readonly string[] = [
  CALLS,
  CALL_KEYS,
  CALL_HALVES,
  TRACE_TIME,
  OBJECTS,
  FILES,
  TABLES,
  TABLE_ROWS,
  COSTS,
  VIEWS,
  FEEDBACK,
  LEASES,
];
