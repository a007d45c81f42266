/**
 * Columns of segments tell of first chunks and of kinds since: what was kept without them counts as that of an older
 * segment, and is made again when there is time. To delete it would take long at the first start.
 */
export const firstChunksSchema = 'UPDATE segment SET changes = changes + 1';
