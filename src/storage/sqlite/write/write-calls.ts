import { TracingError } from '../../../protocol/error.ts';
import type { CallFact, EndFact, StartFact } from '../../contract/calls.ts';
import type { JsonText } from '../../contract/json-text.ts';
import { type CallStatements, prepareCallStatements } from './call-statements.ts';
import type { DatabaseSync } from '../driver.ts';
import type { TouchedSegments } from '../columns/kept-columns.ts';
import type { Names } from './names.ts';
import type { RunTable } from './run-table.ts';
import { pairHalves } from './pair-halves.ts';
import { boundText, numberOf, textOf } from '../read/text.ts';

/** Rows whose bodies are removed at a time, between batches. */
const PURGE_ROWS = 2000;

/** Tables that are written once for all that a transaction changes. */
export interface TouchedTables {
  readonly segments: TouchedSegments;
  readonly runs: RunTable;
}

/** The project, the trace and the run of a start. */
interface Place {
  readonly project: number;
  readonly traceId: string;
  readonly run: number | null;
}

/** Merges facts into the tables of calls; runs inside the transaction of the writer. */
export class CallTables {
  readonly #names: Names;
  readonly #segments: TouchedSegments;
  readonly #runs: RunTable;
  readonly #statements: CallStatements;
  /** Whether a project has deleted calls; nearly none has, which saves a look-up per fact. */
  readonly #hasDeleted = new Map<number, boolean>();

  constructor(database: DatabaseSync, names: Names, { segments, runs }: TouchedTables) {
    this.#names = names;
    this.#segments = segments;
    this.#runs = runs;
    this.#statements = prepareCallStatements(database);
  }

  /** Answers with the trace of each: what else is said of a written call the one who asked knows. */
  write(facts: readonly CallFact[]): string[] {
    const ends = pairHalves(facts);
    const traces = new Map<CallFact, string>();
    return facts.map((fact) => {
      const known = traces.get(fact);
      if (known !== undefined) return known;
      const project = this.#names.project(fact.project_id);
      // Also those of deleted calls: they tell when something has happened in a run.
      const run = this.#runs.see(project, fact);
      const deletedTrace = this.#traceOfDeleted(project, fact.id);
      if (deletedTrace !== undefined) return deletedTrace;
      if (fact.kind === 'end') return this.#writeEnd(project, fact);
      const traceId = this.#traceOf(project, fact);
      const end = ends.get(fact);
      if (!end || !this.#writeWhole({ project, traceId, run }, fact, end)) {
        return this.#writeStart({ project, traceId, run }, fact);
      }
      traces.set(end, traceId);
      return traceId;
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
    for (const { pk } of rows) {
      this.#statements.addPurge.run(pk ?? null);
      this.#segments.add(numberOf(pk) ?? 0);
    }
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

  /** One row for both halves; false, and nothing is written, where anything of the call is stored already. */
  #writeWhole({ project, traceId, run }: Place, start: StartFact, end: EndFact): boolean {
    const { changes, lastInsertRowid } = this.#statements.whole.run(
      project,
      start.id,
      traceId,
      start.parent_id,
      boundText(start.thread_id),
      boundText(start.turn_id),
      this.#names.op(start.op_name),
      boundText(end.display_name ?? start.display_name),
      end.display_name === null ? rankOfStart(start) : END_RANK,
      start.started_at,
      boundText(start.svc_user_id),
      boundText(start.svc_run_id),
      start.svc_run_step,
      run,
      end.ended_at,
      boundText(end.exception),
      end.svc_run_step_end,
      hasChildErrors(end.summary),
      end.revision,
    );
    if (Number(changes) === 0) return false;
    this.#runs.see(project, end);
    const key = Number(lastInsertRowid);
    this.#writeStartBody(project, key, start);
    this.#writeEndBody(project, key, end);
    return true;
  }

  #writeStart({ project, traceId, run }: Place, start: StartFact): string {
    const row = this.#statements.start.get(
      project,
      start.id,
      traceId,
      start.parent_id,
      boundText(start.thread_id),
      boundText(start.turn_id),
      this.#names.op(start.op_name),
      boundText(start.display_name),
      rankOfStart(start),
      start.started_at,
      boundText(start.svc_user_id),
      boundText(start.svc_run_id),
      start.svc_run_step,
      run,
    );
    // No row: the first start stays.
    if (row === undefined) return this.#storedTraceOf(project, start.id);
    this.#writeStartBody(project, numberOf(row['pk']), start);
    return traceId;
  }

  #writeEnd(project: number, end: EndFact): string {
    const row = this.#statements.end.get(
      project,
      end.id,
      end.ended_at,
      boundText(end.exception),
      end.svc_run_step_end,
      hasChildErrors(end.summary),
      end.revision,
      boundText(end.display_name),
      end.display_name === null ? 0 : END_RANK,
    );
    // No row: a later one has come before.
    if (row === undefined) return this.#storedTraceOf(project, end.id);
    const key = numberOf(row['pk']);
    if (numberOf(row['end_count']) !== 1) this.#statements.removeOutputRefs.run(key);
    this.#writeEndBody(project, key, end);
    return textOf(row['trace_id']) ?? '';
  }

  #storedTraceOf(project: number, id: string): string {
    return textOf(this.#statements.trace.get(project, id)?.['trace_id']) ?? '';
  }

  #writeStartBody(project: number, key: number | null, start: StartFact): void {
    this.#segments.add(key ?? 0);
    this.#statements.startBody.run(key, start.attributes, start.inputs, start.otel_dump);
    for (const ref of start.input_refs) this.#statements.ref.run(project, boundText(ref), 0, key);
  }

  #writeEndBody(project: number, key: number | null, end: EndFact): void {
    this.#segments.add(key ?? 0);
    this.#statements.endBody.run(key, end.output, end.summary);
    for (const ref of end.output_refs) this.#statements.ref.run(project, boundText(ref), 1, key);
  }

  #traceOf(project: number, { trace_id, parent_id, fallback_trace_id }: StartFact): string {
    return trace_id ?? this.#traceOfParent(project, parent_id) ?? fallback_trace_id;
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

/** Of a name that came with an end: it beats that of the start. */
const END_RANK = 2;

function rankOfStart({ display_name: name }: StartFact): number {
  return name === null ? 0 : 1;
}

/** Does a summary count errors? Nearly none does, so the text is looked at before it is parsed. */
function hasChildErrors(summary: JsonText): 0 | 1 {
  if (!summary.includes('"status_counts"')) return 0;
  const { status_counts: counts } = JSON.parse(summary) as {
    readonly status_counts?: { readonly error?: unknown } | null;
  };
  const errors = counts?.error;
  return typeof errors === 'number' && errors > 0 ? 1 : 0;
}
