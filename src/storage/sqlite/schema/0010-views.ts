/** Saved views of lists; times are microseconds, columns a JSON array. */
export const viewSchema = `
CREATE TABLE saved_view(
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  columns TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  PRIMARY KEY(project, id)
) WITHOUT ROWID;
`;
