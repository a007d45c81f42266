import { opNameOf } from '../../../protocol/ref.ts';
import type { CallFact } from '../../contract/calls.ts';
import type { RunFacts, RunPlan, RunStore, StoredRun } from '../../contract/runs.ts';
import type { DatabaseSync, Row, SqliteValue, Statement } from '../driver.ts';
import { boundText, numberOf, textOfBlob } from '../read/text.ts';
import type { Reads } from '../threads/reads.ts';
import type { WriteClient } from '../threads/write-client.ts';
import type { Names } from './names.ts';

/** Runs as the service asks for them. */
export function runStore(writes: WriteClient, reads: Reads): RunStore {
  return {
    note: async (run) => {
      await writes.send({ op: 'noteRun', run });
    },
    list: async (plan, options = {}) => await reads.send({ op: 'listRuns', plan }, options),
    sums: async (plan, options = {}) => await reads.send({ op: 'sumRuns', plan }, options),
  };
}

/** Keys that are kept in memory: few programs record at once. */
const MAX_CACHED = 10_000;

/** The word of the facts of one transaction on a run. */
interface Touched {
  entry: { readonly op: string; readonly at: number } | undefined;
  lastAt: number;
}

/** Writes runs; runs inside the transaction of the writer. */
export class RunTable {
  readonly #names: Names;
  readonly #insert: Statement;
  readonly #select: Statement;
  readonly #touch: Statement;
  readonly #note: Statement;
  readonly #selectOld: Statement;
  readonly #removeOld: Statement;
  readonly #keys = new Map<string, number>();
  /** Facts of a batch are of one run. */
  #last: { readonly project: number; readonly id: string; readonly key: number } | undefined;
  readonly #touched = new Map<number, Touched>();

  constructor(database: DatabaseSync, names: Names) {
    this.#names = names;
    this.#insert = database.prepare(
      'INSERT INTO process_run(project, id) VALUES (?, CAST(? AS TEXT)) ON CONFLICT DO NOTHING RETURNING pk',
    );
    this.#select = database.prepare('SELECT pk FROM process_run WHERE project = ? AND id = CAST(? AS TEXT)');
    this.#touch = database.prepare(TOUCH);
    this.#note = database.prepare(NOTE);
    this.#selectOld = database.prepare(SELECT_OLD);
    this.#removeOld = database.prepare(REMOVE_OLD);
  }

  /** The number of the run of a fact; null where none is known. A fact may be seen more than once. */
  see(project: number, fact: CallFact): number | null {
    const { process_run: id } = fact;
    if (id === undefined) return null;
    const key = this.#keyOf(project, id);
    const at = fact.kind === 'start' ? fact.started_at : fact.ended_at;
    let touched = this.#touched.get(key);
    if (touched === undefined) this.#touched.set(key, (touched = { entry: undefined, lastAt: at }));
    touched.lastAt = Math.max(touched.lastAt, at);
    if (fact.kind === 'start' && (touched.entry === undefined || at < touched.entry.at)) {
      touched.entry = { op: fact.op_name, at };
    }
    return key;
  }

  note(run: RunFacts): void {
    const key = this.#keyOf(this.#names.project(run.project_id), run.id);
    this.#note.run(
      run.started_at ?? null,
      run.pid ?? null,
      boundText(run.host ?? null),
      boundText(run.version ?? null),
      boundText(run.commit ?? null),
      run.is_dirty === undefined ? null : Number(run.is_dirty),
      key,
    );
  }

  /**
   * Removes runs in which nothing has happened since, and of which no call is left: calls name their run by its number. So many are
   * looked at behind the one with the number `after`; returns that of the last one, `null` behind all.
   */
  removeBefore(projectId: string, time: number, after: number): number | null {
    const project = this.#names.project(projectId);
    // What has happened in the same transaction, too: without it a run that has just begun has no times.
    this.write();
    const old = this.#selectOld.all(project, after, time, OLD_AT_ONCE) as { readonly pk: number }[];
    const removed = old.filter(({ pk }) => Number(this.#removeOld.run(pk).changes) > 0);
    if (removed.length > 0) this.#forgetKeys();
    return old.length < OLD_AT_ONCE ? null : (old.at(-1)?.pk ?? null);
  }

  /** Before the commit, and before times are looked at. */
  write(): void {
    for (const [key, { entry, lastAt }] of this.#touched) {
      const op = entry === undefined ? null : boundText(opNameOf(entry.op));
      this.#touch.run(entry?.at ?? null, op, lastAt, key);
    }
    this.#touched.clear();
  }

  /** Numbers given in a transaction that was rolled back do not exist. */
  forget(): void {
    this.#forgetKeys();
    this.#touched.clear();
  }

  #forgetKeys(): void {
    this.#keys.clear();
    this.#last = undefined;
  }

  #keyOf(project: number, id: string): number {
    if (this.#last?.project === project && this.#last.id === id) return this.#last.key;
    const key = this.#numberOf(project, id);
    this.#last = { project, id, key };
    return key;
  }

  #numberOf(project: number, id: string): number {
    const name = `${project} ${id}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#keys.size >= MAX_CACHED) this.#keys.clear();
    const bound = boundText(id);
    const row = this.#select.get(project, bound) ?? this.#insert.get(project, bound);
    const key = numberOf(row?.['pk']) ?? 0;
    this.#keys.set(name, key);
    return key;
  }
}

/** The runs of a plan, in their order. */
export function selectRuns(database: DatabaseSync, { projectId, ids, entryOp, after, limit }: RunPlan): StoredRun[] {
  const conditions = ['project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT))', 'first IS NOT NULL'];
  const values: SqliteValue[] = [boundText(projectId)];
  if (ids !== undefined) {
    conditions.push('id IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(ids));
  }
  if (entryOp !== undefined) {
    conditions.push('entry_op = CAST(? AS TEXT)');
    values.push(boundText(entryOp));
  }
  if (after !== undefined) {
    conditions.push('(first, id) < (?, CAST(? AS TEXT))');
    values.push(after.first_at, boundText(after.id));
  }
  return database
    .prepare(`${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY first DESC, id DESC LIMIT ?`)
    .all(...values, limit)
    .map((row) => storedRun(row, projectId));
}

function storedRun(row: Row, projectId: string): StoredRun {
  const isDirty = numberOf(row['is_dirty']);
  return {
    project_id: projectId,
    id: textOfBlob(row['id']) ?? '',
    entry_op: textOfBlob(row['entry_op']) ?? '',
    first_at: numberOf(row['first']) ?? 0,
    last_at: numberOf(row['last']) ?? 0,
    started_at: numberOf(row['started_at']),
    pid: numberOf(row['pid']),
    host: textOfBlob(row['host']),
    version: textOfBlob(row['version']),
    commit: textOfBlob(row['git_commit']),
    is_dirty: isDirty === null ? null : isDirty === 1,
  };
}

/** An end may have come first: until a start comes there is no first call. */
const TOUCH = `
UPDATE process_run SET
  entry_op = CASE WHEN ?1 < coalesce(first, 9223372036854775807) THEN CAST(?2 AS TEXT) ELSE entry_op END,
  first = CASE WHEN ?1 < coalesce(first, 9223372036854775807) THEN ?1 ELSE first END,
  last = max(coalesce(last, ?3), ?3)
WHERE pk = ?4`;

/** As `mergedRun` has it; of two texts the greater one goes by code points. */
const NOTE = `
UPDATE process_run SET started_at = min(coalesce(?1, started_at), coalesce(started_at, ?1)),
  pid = max(coalesce(?2, pid), coalesce(pid, ?2)),
  host = ${greaterText('?3', 'host')}, version = ${greaterText('?4', 'version')},
  git_commit = ${greaterText('?5', 'git_commit')},
  is_dirty = max(coalesce(?6, is_dirty), coalesce(is_dirty, ?6))
WHERE pk = ?7`;

function greaterText(said: string, known: string): string {
  const text = `CAST(${said} AS TEXT)`;
  return `max(coalesce(${text}, ${known}), coalesce(${known}, ${text}))`;
}

/** Other writers wait while so many are looked at. */
const OLD_AT_ONCE = 200;

/** In its order runs that are old would be looked for among all there ever were, while nobody writes. */
const SELECT_OLD = `
SELECT pk FROM process_run INDEXED BY process_run_quiet
WHERE project = ? AND pk > ? AND coalesce(last, started_at, 0) < ? ORDER BY pk LIMIT ?`;

/** Calls of a run have started within its times. */
const REMOVE_OLD = `
DELETE FROM process_run WHERE pk = ? AND NOT EXISTS (
  SELECT 1 FROM calls c WHERE c.project = process_run.project AND c.started_at BETWEEN process_run.first AND process_run.last
    AND c.process = process_run.pk)`;

const SELECT = `
SELECT CAST(id AS BLOB) AS id, CAST(entry_op AS BLOB) AS entry_op, first, last, started_at, pid, CAST(host AS BLOB) AS host,
  CAST(version AS BLOB) AS version, CAST(git_commit AS BLOB) AS git_commit, is_dirty
FROM process_run`;
