import type { DatabaseSync } from '../driver.ts';

/** The statements of a writer for the tables of calls. */
export type CallStatements = ReturnType<typeof prepareCallStatements>;

export function prepareCallStatements(database: DatabaseSync) {
  return {
    whole: database.prepare(WHOLE),
    start: database.prepare(START),
    end: database.prepare(END),
    rename: database.prepare(RENAME),
    delete: database.prepare(DELETE),
    startBody: database.prepare('INSERT INTO body_start(pk, attributes, inputs, otel_dump) VALUES (?, ?, ?, ?)'),
    endBody: database.prepare('INSERT OR REPLACE INTO body_end(pk, output, summary) VALUES (?, ?, ?)'),
    ref: database.prepare('INSERT OR IGNORE INTO ref(project, ref, is_output, call) VALUES (?, CAST(? AS TEXT), ?, ?)'),
    removeOutputRefs: database.prepare('DELETE FROM ref WHERE call = ? AND is_output = 1'),
    trace: database.prepare('SELECT trace_id FROM calls WHERE project = ? AND id = ?'),
    anyOfProject: database.prepare('SELECT 1 FROM calls WHERE project = ? LIMIT 1'),
    addPurge: database.prepare('INSERT OR IGNORE INTO purge(pk) VALUES (?)'),
    selectPurge: database.prepare('SELECT pk FROM purge LIMIT ?'),
    purge: [
      database.prepare('DELETE FROM body_start WHERE pk = ?'),
      database.prepare('DELETE FROM body_end WHERE pk = ?'),
      database.prepare('DELETE FROM ref WHERE call = ?'),
      database.prepare('DELETE FROM purge WHERE pk = ?'),
    ],
  };
}

/** A call of which nothing is stored. */
const WHOLE = `
INSERT INTO calls(project, id, trace_id, parent_id, thread_id, turn_id, op, display_name, display_rank,
  started_at, user, run, step, process, ended_at, exception, step_end, has_child_errors, end_revision, end_count)
VALUES (?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?,
  ?, CAST(? AS TEXT), ?, ?, ?, 1)
ON CONFLICT(project, id) DO NOTHING`;

/** Fills what only an end or a name has brought so far; a start that is there stays, and no row comes back. */
const START = `
INSERT INTO calls(project, id, trace_id, parent_id, thread_id, turn_id, op, display_name, display_rank,
  started_at, user, run, step, process)
VALUES (?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?)
ON CONFLICT(project, id) DO UPDATE SET
  trace_id = excluded.trace_id, parent_id = excluded.parent_id, thread_id = excluded.thread_id,
  turn_id = excluded.turn_id, op = excluded.op, started_at = excluded.started_at, user = excluded.user,
  run = excluded.run, step = excluded.step, process = excluded.process,
  display_name = iif(excluded.display_rank > display_rank, excluded.display_name, display_name),
  display_rank = max(excluded.display_rank, display_rank)
WHERE started_at IS NULL
RETURNING pk`;

/** The last end replaces the one before, unless that one has a higher revision: then no row comes back. */
const END = `
INSERT INTO calls(project, id, ended_at, exception, step_end, has_child_errors, end_revision, display_name, display_rank,
  end_count)
VALUES (?, ?, ?, CAST(? AS TEXT), ?, ?, ?, CAST(? AS TEXT), ?, 1)
ON CONFLICT(project, id) DO UPDATE SET
  ended_at = excluded.ended_at, exception = excluded.exception, step_end = excluded.step_end,
  has_child_errors = excluded.has_child_errors, end_revision = excluded.end_revision, end_count = end_count + 1,
  display_name = iif(excluded.display_rank >= max(display_rank, 1), excluded.display_name, display_name),
  display_rank = max(excluded.display_rank, display_rank)
WHERE excluded.end_revision >= end_revision
RETURNING pk, trace_id, end_count`;

const RENAME = `
INSERT INTO calls(project, id, display_name, display_rank) VALUES (?, ?, CAST(? AS TEXT), 3)
ON CONFLICT(project, id) DO UPDATE SET display_name = excluded.display_name, display_rank = 3`;

/** Visible calls of the list and everything below them; what was deleted before leads on to what came later. */
const DELETE = `
WITH RECURSIVE reached(id) AS (
  SELECT c.id FROM json_each(?) named JOIN calls c ON c.project = ? AND c.id = named.value
    WHERE c.started_at IS NOT NULL
  UNION
  SELECT c.id FROM reached CROSS JOIN calls c ON c.project IN (?, -?) AND c.parent_id = reached.id
)
UPDATE calls SET project = -project, deleted_at = ?
WHERE project = ? AND started_at IS NOT NULL AND id IN (SELECT id FROM reached)
RETURNING pk`;
