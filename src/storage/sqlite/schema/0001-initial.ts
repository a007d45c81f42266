// docs/decisions/0003-call-bodies-are-compact-text.md says why.
/**
 * - A call that is deleted has the negative number of its project, which takes it out of every index of the
 *   project at once; its row stays, so that its id is never used again.
 * - `started_at` is NULL while only an end or a name has arrived.
 * - `display_rank` says who named the call: 1 its start, 2 its end, 3 an update; `''` is a name that was cleared.
 * - Bodies of start and end are apart from each other and from the row, so that the second half of a call
 *   rewrites neither and lists do not read them.
 * - Every index that serves an order by time ends in `started_at`.
 */
export const initialSchema = `
CREATE TABLE project(pk INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE op(pk INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, label TEXT NOT NULL);

CREATE TABLE calls(
  pk INTEGER PRIMARY KEY,
  project INTEGER NOT NULL,
  id TEXT NOT NULL,
  trace_id TEXT,
  parent_id TEXT,
  thread_id TEXT,
  turn_id TEXT,
  op INTEGER,
  display_name TEXT,
  display_rank INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER,
  ended_at INTEGER,
  exception TEXT,
  user TEXT,
  run TEXT,
  step INTEGER,
  step_end INTEGER,
  has_child_errors INTEGER,
  end_count INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX calls_id ON calls(project, id);
CREATE INDEX calls_time ON calls(project, started_at, ended_at, op);
CREATE INDEX calls_root ON calls(project, started_at) WHERE parent_id IS NULL;
CREATE INDEX calls_trace ON calls(project, trace_id, started_at);
CREATE INDEX calls_op ON calls(project, op, started_at);
CREATE INDEX calls_thread ON calls(project, thread_id, started_at) WHERE thread_id IS NOT NULL;
CREATE INDEX calls_parent ON calls(project, parent_id, started_at) WHERE parent_id IS NOT NULL;

CREATE TABLE body_start(pk INTEGER PRIMARY KEY, attributes TEXT NOT NULL, inputs TEXT NOT NULL, otel_dump TEXT);
CREATE TABLE body_end(pk INTEGER PRIMARY KEY, output TEXT, summary TEXT NOT NULL);

CREATE TABLE ref(
  project INTEGER NOT NULL,
  ref TEXT NOT NULL,
  is_output INTEGER NOT NULL,
  call INTEGER NOT NULL,
  PRIMARY KEY(project, ref, is_output, call)
) WITHOUT ROWID;
CREATE INDEX ref_call ON ref(call, is_output);

-- Rows whose bodies and references are still to be removed.
CREATE TABLE purge(pk INTEGER PRIMARY KEY);

CREATE TABLE object(
  pk INTEGER PRIMARY KEY,
  project INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  version_index INTEGER NOT NULL,
  digest TEXT NOT NULL,
  val TEXT,
  size_bytes INTEGER NOT NULL,
  base_object_class TEXT,
  leaf_object_class TEXT,
  user TEXT,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX object_version ON object(project, name, kind, version_index);
CREATE INDEX object_digest ON object(project, name, digest);
CREATE TABLE object_latest(
  project INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  object INTEGER NOT NULL,
  PRIMARY KEY(project, name, kind)
) WITHOUT ROWID;

CREATE TABLE file(
  project INTEGER NOT NULL,
  digest TEXT NOT NULL,
  name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE(project, digest)
);
`;
