/**
 * - Rows of a table are found by what they are, not only by where they stand.
 * - The turns of threads are few among the calls of threads; reads of threads need nothing that is not in the index.
 */
export const lookupSchema = `
CREATE INDEX dataset_item_row ON dataset_item(dataset, row);
CREATE INDEX calls_turn ON calls(project, thread_id, started_at, ended_at, id, turn_id) WHERE turn_id = id;
`;
