/**
 * When the calls of a trace have started: at least that time, so that reads of a trace look at few months. Ids of traces are random
 * mostly, so each that is looked for is in a granule of its own: those are small.
 */
const TRACE_SPANS = `
CREATE TABLE trace_spans (
  project_id LowCardinality(String), trace_id String,
  first SimpleAggregateFunction(min, Int64), last SimpleAggregateFunction(max, Int64)
) ENGINE = AggregatingMergeTree
ORDER BY (project_id, trace_id)
SETTINGS index_granularity = 256, finished_mutations_to_keep = 2`;

/** Rows that are copied twice count once. The table of before, whose granules cannot be changed, stays as it is, and is not read any more. */
const COPY = `INSERT INTO trace_spans SELECT project_id, trace_id, first, last FROM trace_time`;

/** A step each: the rows go into the table. */
export const traceSpansSchema: readonly (readonly string[])[] = [[TRACE_SPANS], [COPY]];
