/**
 * Runs of processes: `first` and `last` are times of their calls, NULL while none has come. Calls name a run by its number,
 * which no other one ever gets. Columns of segments tell runs since: what was kept without them is made again when there is time.
 */
export const runsSchema = `
CREATE TABLE process_run(
  pk INTEGER PRIMARY KEY AUTOINCREMENT,
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  entry_op TEXT,
  first INTEGER,
  last INTEGER,
  started_at INTEGER,
  pid INTEGER,
  host TEXT,
  version TEXT,
  git_commit TEXT,
  is_dirty INTEGER,
  UNIQUE(project, id)
);
CREATE INDEX process_run_first ON process_run(project, first, id);
CREATE INDEX process_run_quiet ON process_run(project, coalesce(last, started_at, 0));
CREATE INDEX process_run_entry ON process_run(project, entry_op, first, id);
ALTER TABLE calls ADD COLUMN process INTEGER;
UPDATE segment SET changes = changes + 1;
`;
