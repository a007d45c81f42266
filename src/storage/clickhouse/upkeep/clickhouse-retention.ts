import { TracingError } from '../../../protocol/error.ts';
import { formatCallRef } from '../../../protocol/ref.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { Removed, RetentionStore } from '../../contract/retention.ts';
import { bind, raw, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { bindTexts } from '../statement.ts';
import type { CallWriter } from '../write/call-writer.ts';
import { inParts } from '../write/in-parts.ts';
import { oneOf, type Removals } from './removals.ts';

/** Traces that are removed together: a removal rewrites marks in every part of a table, so there should be few. */
const MAX_TRACES = 20_000;

/**
 * Calls that a statement names, and those of a step unless a trace alone has more. Reads look at all of them until the removal is
 * carried out: a page of a list took 10 to 100 ms longer with so many, and ten seconds with 100,000.
 */
const MAX_CALLS = 20_000;

/** When something has happened last in a trace. */
const LAST = 'max(greatest(c.started_at, coalesce(c.ended_at, c.started_at)))';

interface RetentionOptions {
  /** Calls of a step and of a statement. @default 20,000 */
  readonly maxCalls?: number;
}

interface OldTrace {
  readonly trace_id: string;
  readonly calls: number;
}

interface OldCall {
  readonly id: string;
  readonly trace_id: string;
}

interface Old {
  readonly traces: readonly string[];
  readonly calls: readonly OldCall[];
  /** Ids of ends without a start. */
  readonly halves: readonly string[];
}

/** Removes what is old by lightweight deletes, one for each table and step, or for each part of a trace that is larger than a step. */
export class ClickhouseRetention implements RetentionStore {
  readonly #connection: Connection;
  readonly #writer: CallWriter;
  readonly #removals: Removals;
  readonly #maxCalls: number;

  constructor(
    connection: Connection,
    writer: CallWriter,
    removals: Removals,
    { maxCalls = MAX_CALLS }: RetentionOptions = {},
  ) {
    this.#connection = connection;
    this.#writer = writer;
    this.#removals = removals;
    this.#maxCalls = maxCalls;
  }

  /** Rejects where nothing can be removed, once for all of them. */
  async projects(): Promise<string[]> {
    await this.#removals.check();
    const rows = await this.#connection.all<{ project_id: string }>(
      raw(
        `SELECT DISTINCT project_id FROM (SELECT project_id FROM calls FINAL UNION ALL SELECT project_id FROM call_halves FINAL)`,
      ),
      { deadlineMs: Infinity },
    );
    return rows.map((row) => row.project_id);
  }

  async timeForBytes(projectId: string, bytes: number, options?: ReadOptions): Promise<number | undefined> {
    let taken = 0;
    const sizes = sql`SELECT ${raw(LAST)} AS last, sum(c.body_bytes) AS bytes FROM calls AS c FINAL
      WHERE c.project_id = ${bind(projectId)} GROUP BY c.trace_id ORDER BY last DESC`;
    for await (const rows of this.#connection.rows<{ last: number; bytes: number }>(sizes, options)) {
      for (const row of rows) {
        taken += row.bytes;
        if (taken > bytes) return row.last + 1;
      }
    }
    return undefined;
  }

  /**
   * Looks for what is old while calls are written, and has it removed while none are: a call that is removed and written anew in
   * between would be half of each. Traces in which something has happened since stay, whole. Calls are written while the server
   * removes rows; one removal is left to it at a time, also of another service that has ended meanwhile.
   */
  async removeBefore(projectId: string, time: number, asked: ReadOptions = {}): Promise<Removed> {
    asked.signal?.throwIfAborted();
    const hasEnded = await this.#removals.ended(asked.signal);
    asked.signal?.throwIfAborted();
    if (!hasEnded) throw new TracingError('unavailable', 'Cannot remove what is old: the storage is closed');
    const removed = await this.#noteBefore(projectId, time, asked);
    // They are gone for every reader. What the server could not carry out yet is told by the next step, which waits for it first.
    if (removed.calls > 0) await this.#removals.ended(asked.signal).catch(() => undefined);
    return removed;
  }

  async #noteBefore(projectId: string, time: number, asked: ReadOptions): Promise<Removed> {
    return await this.#writer.readFirst(projectId, {
      givenUp: { failed: `Cannot remove what is old in "${projectId}"`, advice: 'the next round tries again' },
      read: (signal) => {
        const signals = asked.signal === undefined ? signal : AbortSignal.any([signal, asked.signal]);
        return this.#old(projectId, time, { deadlineMs: Infinity, ...asked, signal: signals });
      },
      readSince: (old, ids, signal) => this.#stillOld(projectId, old, ids, signal),
      work: async ({ traces, calls, halves }, groups) => {
        const started = calls.map(({ id }) => id);
        for (const part of partsOf(started, this.#maxCalls)) await this.#removeCalls(projectId, part, traces);
        await this.#removeHalves(projectId, halves);
        const ids = [...started, ...halves];
        groups.forget(projectId, ids);
        return { traces: traces.length, calls: ids.length };
      },
    });
  }

  /** Without the traces of calls that were written since. */
  async #stillOld(
    projectId: string,
    { traces, calls, halves }: Old,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Old> {
    const busy = await this.#tracesOf(projectId, ids, signal);
    const written = new Set(ids);
    return {
      traces: traces.filter((trace) => !busy.has(trace)),
      calls: calls.filter((call) => !busy.has(call.trace_id)),
      halves: halves.filter((id) => !written.has(id)),
    };
  }

  async #old(projectId: string, time: number, options: ReadOptions): Promise<Old> {
    const traces = await this.#oldTraces(projectId, time, options);
    const calls = await this.#callsOf(projectId, traces, options);
    const halves = await this.#oldHalves(projectId, time, options);
    return { traces, calls, halves };
  }

  async #tracesOf(projectId: string, ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const rows = await inParts(ids, (part) => {
      return this.#connection.all<{ trace_id: string }>(
        sql`SELECT DISTINCT trace_id FROM call_keys FINAL WHERE project_id = ${bind(projectId)} AND id IN ${bindTexts(part)}`,
        { signal },
      );
    });
    return new Set(rows.map((row) => row.trace_id));
  }

  async #oldTraces(projectId: string, time: number, options: ReadOptions): Promise<string[]> {
    const rows = await this.#connection.all<OldTrace>(
      sql`SELECT c.trace_id AS trace_id, count() AS calls FROM calls AS c FINAL WHERE c.project_id = ${bind(projectId)}
        GROUP BY c.trace_id HAVING ${raw(LAST)} < ${bind(time)} LIMIT ${bind(MAX_TRACES)}`,
      options,
    );
    return firstOf(rows, this.#maxCalls).map((row) => row.trace_id);
  }

  async #callsOf(projectId: string, traces: readonly string[], options: ReadOptions): Promise<OldCall[]> {
    if (traces.length === 0) return [];
    return await this.#connection.all<OldCall>(
      sql`SELECT c.id AS id, c.trace_id AS trace_id FROM calls AS c FINAL WHERE c.project_id = ${bind(projectId)} AND c.trace_id IN ${bindTexts(traces)}`,
      options,
    );
  }

  async #oldHalves(projectId: string, time: number, options: ReadOptions): Promise<string[]> {
    const rows = await this.#connection.all<{ id: string }>(
      sql`SELECT DISTINCT id FROM call_halves FINAL
        WHERE project_id = ${bind(projectId)} AND kind = 'end' AND ended_at < ${bind(time)} LIMIT ${bind(this.#maxCalls)}`,
      options,
    );
    return rows.map(({ id }) => id);
  }

  /** Keys of deleted calls stay, whose rows are in none of the traces. */
  async #removeCalls(projectId: string, ids: readonly string[], traces: readonly string[]): Promise<void> {
    await this.#removeFeedback(projectId, ids);
    const inTraces = sql`project_id = ${bind(projectId)} AND trace_id IN ${oneOf(traces)}`;
    // Another service may have taken in more of these traces since: what was not read stays, whole.
    const isRead = sql`id IN ${oneOf(ids)}`;
    await this.#removals.note('call_keys', sql`${inTraces} AND is_gone = 0 AND ${isRead}`);
    await this.#removals.note('calls', sql`${inTraces} AND is_deleted = 0 AND ${isRead}`);
  }

  async #removeHalves(projectId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#removeFeedback(projectId, ids);
    await this.#removals.note('call_halves', sql`project_id = ${bind(projectId)} AND id IN ${oneOf(ids)}`);
  }

  /** Before the calls: where it fails they are found again, and what is said about calls that have gone never would be. */
  async #removeFeedback(projectId: string, ids: readonly string[]): Promise<void> {
    const refs = ids.map((id) => formatCallRef(projectId, id));
    await this.#removals.note('feedback', sql`project_id = ${bind(projectId)} AND svc_ref IN ${oneOf(refs)}`);
  }
}

/** So many traces that they have no more calls than that together; one at least. */
function firstOf(traces: readonly OldTrace[], maxCalls: number): readonly OldTrace[] {
  let calls = 0;
  const end = traces.findIndex((trace, index) => (calls += trace.calls) > maxCalls && index > 0);
  return end < 0 ? traces : traces.slice(0, end);
}

function* partsOf(ids: readonly string[], size: number): Generator<readonly string[]> {
  for (let index = 0; index < ids.length; index += size) yield ids.slice(index, index + size);
}
