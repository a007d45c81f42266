/** Columns of segments tell of first chunks and of kinds since: what was kept without them is made again. */
export const firstChunksSchema = 'DELETE FROM segment_columns';
