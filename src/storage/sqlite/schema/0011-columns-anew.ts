/** Columns of segments have users since: what was kept without them is made again when there is time. */
export const columnsAnewSchema = 'DELETE FROM segment_columns';
