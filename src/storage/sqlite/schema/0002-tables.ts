/**
 * Rows are shared by the tables of a project. A table never changes once it is there, so its rows are read without
 * a transaction. `size_bytes` of a table counts a row as often as it is in it.
 */
export const tablesSchema = `
CREATE TABLE dataset(
  pk INTEGER PRIMARY KEY,
  project INTEGER NOT NULL,
  digest TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  UNIQUE(project, digest)
);
CREATE TABLE dataset_row(
  pk INTEGER PRIMARY KEY,
  project INTEGER NOT NULL,
  digest TEXT NOT NULL,
  val TEXT NOT NULL,
  UNIQUE(project, digest)
);
CREATE TABLE dataset_item(
  dataset INTEGER NOT NULL,
  position INTEGER NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY(dataset, position)
) WITHOUT ROWID;
`;
