/**
 * A removal names all that goes, in about a megabyte. The server keeps a hundred of those that it has carried out and prints them
 * all for who asks what is left, while nothing else may change the table.
 */
const KEPT = 'finished_mutations_to_keep = 2';

const TABLES = ['calls', 'call_keys', 'call_halves', 'feedback'];

export const fewMutationsSchema: readonly string[] = TABLES.map(
  (table) => `ALTER TABLE ${table} MODIFY SETTING ${KEPT}`,
);
