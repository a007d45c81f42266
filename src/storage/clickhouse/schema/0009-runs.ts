/**
 * The run of a process that has recorded a call: empty where none is known. What calls and processes tell of a run are rows that
 * merges put together, in whatever order they were written. `entry` has the time of a start before the name of its op, so that the
 * least of them names the first; of ends alone there is none, and no first time. Words that were not said are empty or zero, and 1
 * and 2 of `is_dirty` are no and yes.
 */
export const runsSchema: readonly string[] = [
  `ALTER TABLE calls ADD COLUMN IF NOT EXISTS process_run LowCardinality(String) DEFAULT ''`,
  `CREATE TABLE process_runs (
  project_id LowCardinality(String), id String,
  entry SimpleAggregateFunction(min, String), first SimpleAggregateFunction(min, Int64),
  last SimpleAggregateFunction(max, Int64), started_at SimpleAggregateFunction(min, Int64),
  pid SimpleAggregateFunction(max, Int64), host SimpleAggregateFunction(max, String),
  version SimpleAggregateFunction(max, String), git_commit SimpleAggregateFunction(max, String),
  is_dirty SimpleAggregateFunction(max, UInt8)
) ENGINE = AggregatingMergeTree
ORDER BY (project_id, id)`,
];
