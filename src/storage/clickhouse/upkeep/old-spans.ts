import type { ReadOptions } from '../../contract/reads.ts';
import { bind, raw, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';
import type { CallWriter } from '../write/call-writer.ts';
import { oneOf, type Removals } from './removals.ts';
import { ALONE_MS, tracesOfCalls } from './traces-of-calls.ts';

/** Traces of a statement, of whose ids there is about a megabyte. */
const MAX_TRACES = 20_000;

/**
 * Times of traces stay so many days longer than the traces may: a call of such a time may be on its way in another service, and reads
 * would not find it without.
 */
const AGE_DAYS = 7;
const DAY_MICROS = 86_400_000_000;

/** All times of a project are read for it. */
const INTERVAL_MS = 86_400_000;

export interface OldSpansOptions {
  /** @default 20,000 */
  readonly maxTraces?: number | undefined;
  /** Milliseconds between two looks at a project. @default 86,400,000, a day */
  readonly intervalMs?: number | undefined;
}

/** Removes the times of traces (`trace_spans`) whose calls were removed long ago. */
export class OldSpans {
  readonly #connection: Connection;
  readonly #writer: CallWriter;
  readonly #removals: Removals;
  readonly #maxTraces: number;
  readonly #intervalMs: number;
  /** When each project is looked at again. */
  readonly #dueAt = new Map<string, number>();

  constructor(connection: Connection, writer: CallWriter, removals: Removals, options: OldSpansOptions = {}) {
    const { maxTraces = MAX_TRACES, intervalMs = INTERVAL_MS } = options;
    this.#connection = connection;
    this.#writer = writer;
    this.#removals = removals;
    this.#maxTraces = maxTraces;
    this.#intervalMs = intervalMs;
  }

  /** For when all that is older than a time has gone: of calls before it only those of traces that go on are there. */
  async removeBefore(projectId: string, time: number, options: ReadOptions): Promise<void> {
    if (performance.now() < (this.#dueAt.get(projectId) ?? Number.NEGATIVE_INFINITY)) return;
    const before = time - AGE_DAYS * DAY_MICROS;
    for (let after: string | undefined, isMore = true; isMore;) {
      const traces = await this.#oldOnes({ projectId, before, after }, options);
      await this.#remove({ projectId, before, traces }, options);
      after = traces.at(-1);
      isMore = traces.length === this.#maxTraces;
    }
    this.#dueAt.set(projectId, performance.now() + this.#intervalMs);
  }

  /** Those behind a trace. All of them before any is removed: a server waits half a minute for who reads no further. */
  async #oldOnes({ projectId, before, after }: Behind, options: ReadOptions): Promise<string[]> {
    const behind = after === undefined ? sql`` : sql` AND t.trace_id > ${bind(after)}`;
    const rows = await this.#connection.all<{ trace_id: string }>(
      sql`SELECT t.trace_id AS trace_id FROM trace_spans AS t FINAL
        WHERE t.project_id = ${bind(projectId)}${behind} AND t.last < ${bind(before)}
        ORDER BY t.project_id, t.trace_id LIMIT ${bind(this.#maxTraces)}`,
      options,
    );
    return rows.map((row) => row.trace_id);
  }

  /** Looks for calls of the traces while others are written; nobody writes any between a look at those and the removal, in this service. */
  async #remove({ projectId, before, traces }: Some, options: ReadOptions): Promise<void> {
    if (traces.length === 0) return;
    const { signal: asked } = options;
    await this.#removals.untilEnded(asked);
    const read = (signal: AbortSignal): ReadOptions => ({
      ...options,
      signal: asked === undefined ? signal : AbortSignal.any([signal, asked]),
    });
    const withTraces = async (going: ReadonlySet<string>, ids: readonly string[], asRead: ReadOptions) =>
      new Set([...going, ...(await tracesOfCalls(this.#connection, { projectId, ids }, asRead))]);
    await this.#writer.readFirst<ReadonlySet<string>, void>(projectId, {
      givenUp: { failed: `Cannot remove times of old traces of "${projectId}"`, advice: 'the next round tries again' },
      read: async (signal) => await this.#withCalls({ projectId, before, traces }, read(signal)),
      readSince: async (going, ids, signal) => await withTraces(going, ids, read(signal)),
      readSoon: async (going, ids, signal) => await withTraces(going, ids, { ...read(signal), deadlineMs: ALONE_MS }),
      work: async (going) => {
        asked?.throwIfAborted();
        const gone = traces.filter((trace) => !going.has(trace));
        if (gone.length === 0) return;
        const isOld = sql`project_id = ${bind(projectId)} AND last < ${bind(before)}`;
        await this.#removals.step(asked).note('trace_spans', sql`${isOld} AND trace_id IN ${oneOf(gone)}`);
      },
    });
  }

  async #withCalls({ projectId, before, traces }: Some, options: ReadOptions): Promise<ReadonlySet<string>> {
    const minute = raw('intDiv(c.started_at, 60000000)');
    const rows = await this.#connection.all<{ trace_id: string }>(
      sql`SELECT DISTINCT c.trace_id AS trace_id FROM calls AS c WHERE c.project_id = ${bind(projectId)}
        AND ${minute} <= ${bind(minuteOf(before))} AND c.trace_id IN ${bindTexts(traces)}`,
      options,
    );
    return new Set(rows.map((row) => row.trace_id));
  }
}

interface Behind {
  readonly projectId: string;
  readonly before: number;
  readonly after: string | undefined;
}

interface Some {
  readonly projectId: string;
  readonly before: number;
  readonly traces: readonly string[];
}
