import { TracingError } from '../../protocol/error.ts';
import type { CallFact, EndFact, StartFact, WrittenCall } from '../storage.ts';
import type { DatabaseSync } from './driver.ts';
import type { Names } from './names.ts';
import { boundText, numberOf, textOf } from './text.ts';

/** Rows whose bodies are removed at a time, between batches. */
const PURGE_ROWS = 2000;

/** Merges facts into the tables of calls; runs inside the transaction of the writer. */
export class CallTables {
  readonly #names: Names;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** Whether a project has deleted calls; nearly none has, which saves a look-up per fact. */
  readonly #hasDeleted = new Map<number, boolean>();

  constructor(database: DatabaseSync, names: Names) {
    this.#names = names;
    this.#statements = prepareStatements(database);
  }

  write(facts: readonly CallFact[]): WrittenCall[] {
    return facts.map((fact) => {
      const project = this.#names.project(fact.project_id);
      const deletedTrace = this.#traceOfDeleted(project, fact.id);
      if (deletedTrace !== undefined) return { id: fact.id, trace_id: deletedTrace };
      const traceId = fact.kind === 'start' ? this.#writeStart(project, fact) : this.#writeEnd(project, fact);
      return { id: fact.id, trace_id: traceId };
    });
  }

  rename(projectId: string, id: string, displayName: string): void {
    const project = this.#names.project(projectId);
    if (this.#traceOfDeleted(project, id) !== undefined) {
      throw new TracingError('call_deleted', `Cannot rename call "${id}": it is deleted`);
    }
    this.#statements.rename.run(project, id, boundText(displayName));
  }

  delete(projectId: string, ids: readonly string[], deletedAt: number): number {
    const project = this.#names.project(projectId);
    const rows = this.#statements.delete.all(JSON.stringify(ids), project, project, project, deletedAt, project);
    for (const { pk } of rows) this.#statements.addPurge.run(pk ?? null);
    if (rows.length > 0) this.#hasDeleted.set(project, true);
    return rows.length;
  }

  /** Removes some bodies of deleted calls; false when there are none. */
  purge(): boolean {
    const keys = this.#statements.selectPurge.all(PURGE_ROWS).map(({ pk }) => pk ?? null);
    for (const key of keys) for (const statement of this.#statements.purge) statement.run(key);
    return keys.length > 0;
  }

  forget(): void {
    this.#hasDeleted.clear();
  }

  #writeStart(project: number, start: StartFact): string {
    const traceId = start.trace_id ?? this.#traceOfParent(project, start.parent_id) ?? start.fallback_trace_id;
    const row = this.#statements.start.get(
      project,
      start.id,
      traceId,
      start.parent_id,
      boundText(start.thread_id),
      start.turn_id,
      this.#names.op(start.op_name),
      boundText(start.display_name),
      start.display_name === null ? 0 : 1,
      start.started_at,
      boundText(start.svc_user_id),
      boundText(start.svc_run_id),
      start.svc_run_step,
    );
    // No row: the first start stays.
    if (row === undefined) return textOf(this.#statements.trace.get(project, start.id)?.['trace_id']) ?? '';
    const key = numberOf(row['pk']);
    this.#statements.startBody.run(key, start.attributes, start.inputs, start.otel_dump);
    for (const ref of start.input_refs) this.#statements.ref.run(project, boundText(ref), 0, key);
    return traceId;
  }

  #writeEnd(project: number, end: EndFact): string {
    const row = this.#statements.end.get(
      project,
      end.id,
      end.ended_at,
      boundText(end.exception),
      end.svc_run_step_end,
      end.summary,
      boundText(end.display_name),
      end.display_name === null ? 0 : 2,
    );
    const key = numberOf(row?.['pk']);
    if (numberOf(row?.['end_count']) !== 1) this.#statements.removeOutputRefs.run(key);
    this.#statements.endBody.run(key, end.output, end.summary);
    for (const ref of end.output_refs) this.#statements.ref.run(project, boundText(ref), 1, key);
    return textOf(row?.['trace_id']) ?? '';
  }

  #traceOfParent(project: number, parentId: string | null): string | null {
    if (parentId === null) return null;
    const row = this.#statements.trace.get(project, parentId) ?? this.#statements.trace.get(-project, parentId);
    return textOf(row?.['trace_id']);
  }

  /** The stored trace of a deleted call; `undefined` when the call is not deleted. */
  #traceOfDeleted(project: number, id: string): string | undefined {
    let hasDeleted = this.#hasDeleted.get(project);
    if (hasDeleted === undefined) {
      hasDeleted = this.#statements.anyOfProject.get(-project) !== undefined;
      this.#hasDeleted.set(project, hasDeleted);
    }
    if (!hasDeleted) return undefined;
    const row = this.#statements.trace.get(-project, id);
    return row === undefined ? undefined : (textOf(row['trace_id']) ?? '');
  }
}

function prepareStatements(database: DatabaseSync) {
  return {
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

/** Fills what only an end or a name has brought so far; a start that is there stays, and no row comes back. */
const START = `
INSERT INTO calls(project, id, trace_id, parent_id, thread_id, turn_id, op, display_name, display_rank,
  started_at, user, run, step)
VALUES (?, ?, ?, ?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?)
ON CONFLICT(project, id) DO UPDATE SET
  trace_id = excluded.trace_id, parent_id = excluded.parent_id, thread_id = excluded.thread_id,
  turn_id = excluded.turn_id, op = excluded.op, started_at = excluded.started_at, user = excluded.user,
  run = excluded.run, step = excluded.step,
  display_name = iif(excluded.display_rank > display_rank, excluded.display_name, display_name),
  display_rank = max(excluded.display_rank, display_rank)
WHERE started_at IS NULL
RETURNING pk`;

/** The last end replaces the one before. */
const END = `
INSERT INTO calls(project, id, ended_at, exception, step_end, has_child_errors, display_name, display_rank, end_count)
VALUES (?, ?, ?, CAST(? AS TEXT), ?,
  (SELECT count(*) FROM (SELECT ? AS summary)
    WHERE json_type(summary, '$.status_counts.error') IN ('integer', 'real')
      AND json_extract(summary, '$.status_counts.error') > 0),
  CAST(? AS TEXT), ?, 1)
ON CONFLICT(project, id) DO UPDATE SET
  ended_at = excluded.ended_at, exception = excluded.exception, step_end = excluded.step_end,
  has_child_errors = excluded.has_child_errors, end_count = end_count + 1,
  display_name = iif(excluded.display_rank >= max(display_rank, 1), excluded.display_name, display_name),
  display_rank = max(excluded.display_rank, display_rank)
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
