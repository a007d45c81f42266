// docs/decisions/0049-what-clickhouse-spends-on-a-call.md says why.
/**
 * A part of few rows is one file, not two for every column: making those took more time than all else of an insert. Merges
 * make of it what it was before.
 */
const COMPACT = `ALTER TABLE calls MODIFY SETTING min_bytes_for_wide_part = 10485760`;

export const compactPartsSchema: readonly string[] = [COMPACT];
