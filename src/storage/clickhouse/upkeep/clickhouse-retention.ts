import { formatCallRef } from '../../../protocol/ref.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { Removed, RetentionStore } from '../../contract/retention.ts';
import { bind, raw, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import type { CallWriter } from '../write/call-writer.ts';
import type { GroupWriter } from '../write/group-writer.ts';
import type { OldCall } from './old-calls.ts';
import { OldSpans, type OldSpansOptions } from './old-spans.ts';
import { type Old, OldTraces } from './old-traces.ts';
import { oneOf, type Removals, type RemovalStep } from './removals.ts';
import { ALONE_MS, tracesOfCalls } from './traces-of-calls.ts';

/**
 * Calls of a step, which its statements name. Reads look at all of them until the removal is carried out: a page of a list took 10
 * to 100 ms longer with so many, and ten seconds with 100,000. Every removal is noted in all parts of a table, so there should be few.
 */
const MAX_CALLS = 20_000;
/** The same where more was written during a look than can be held: it is looked for less then, down to so few. */
const MIN_CALLS = 500;

/** Of more calls that were written since it takes less to look for what is old anew. */
const MAX_SINCE = 50_000;

/** When something has happened last in a trace. */
const LAST = 'max(greatest(c.started_at, coalesce(c.ended_at, c.started_at)))';

interface RetentionOptions {
  /** Calls of a step and of a statement. @default 20,000 */
  readonly maxCalls?: number;
  /** @default 500 */
  readonly minCalls?: number;
  /** Calls that are looked at that were written since a look. @default 50,000 */
  readonly maxSince?: number;
  /** Traces that are known to stay, by look. @default 20,000 */
  readonly maxKept?: number;
  /** Milliseconds of a read while nobody writes. @default 5000 */
  readonly aloneMs?: number;
  /** How times of traces are removed that have gone. */
  readonly spans?: OldSpansOptions;
}

/** Removes what is old by lightweight deletes, one for each table and step. */
export class ClickhouseRetention implements RetentionStore {
  readonly #connection: Connection;
  readonly #writer: CallWriter;
  readonly #removals: Removals;
  readonly #maxCalls: number;
  readonly #minCalls: number;
  readonly #maxSince: number;
  readonly #maxKept: number | undefined;
  readonly #aloneMs: number;
  readonly #spans: OldSpans;
  /** Looks of a project that go on in its next step. */
  readonly #looks = new Map<string, OldTraces>();
  /** Calls of the next step of a project that is written to so much that fewer can be looked for at once. */
  readonly #sizes = new Map<string, number>();

  constructor(connection: Connection, writer: CallWriter, removals: Removals, options: RetentionOptions = {}) {
    const {
      maxCalls = MAX_CALLS,
      minCalls = MIN_CALLS,
      maxSince = MAX_SINCE,
      maxKept,
      aloneMs = ALONE_MS,
      spans,
    } = options;
    this.#connection = connection;
    this.#writer = writer;
    this.#removals = removals;
    this.#maxCalls = maxCalls;
    this.#minCalls = minCalls;
    this.#maxSince = maxSince;
    this.#maxKept = maxKept;
    this.#aloneMs = aloneMs;
    this.#spans = new OldSpans(connection, writer, removals, spans);
  }

  /**
   * Rejects where nothing can be removed, once for all of them. Of some all calls may be deleted: to tell those apart all rows would
   * have to be merged.
   */
  async projects({ signal, deadlineMs = Infinity }: ReadOptions = {}): Promise<string[]> {
    await this.#removals.check(signal);
    const rows = await this.#connection.all<{ project_id: string }>(
      raw(
        `SELECT DISTINCT project_id FROM (SELECT project_id FROM calls UNION ALL SELECT project_id FROM call_halves)`,
      ),
      { deadlineMs, ...(signal && { signal }) },
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
   * removes rows; one removal is left to it at a time, also of another service that has ended meanwhile. A trace that has more calls
   * than a step goes in several, the oldest calls first.
   */
  async removeBefore(projectId: string, time: number, asked: ReadOptions = {}): Promise<Removed> {
    for (let maxCalls = this.#sizes.get(projectId) ?? this.#maxCalls; ;) {
      asked.signal?.throwIfAborted();
      const looks = this.#looksOf(projectId, time);
      const isFromBeginning = looks.from === undefined;
      const step = await this.#noteBefore({ projectId, looks, maxCalls }, asked);
      if (step === 'too much was written') maxCalls = Math.max(this.#minCalls, Math.ceil(maxCalls / 2));
      else if (step === 'others are left') await this.#removals.untilEnded(asked.signal);
      else if (step.calls > 0) {
        this.#sizes.set(projectId, Math.min(this.#maxCalls, maxCalls * 2));
        return await this.#carriedOut(step, asked);
      } else {
        this.#looks.delete(projectId);
        this.#sizes.delete(projectId);
        // What was written meanwhile may be before what was passed over.
        if (!isFromBeginning) continue;
        await this.#spans.removeBefore(projectId, time, { deadlineMs: Infinity, ...asked });
        return step;
      }
    }
  }

  #looksOf(projectId: string, time: number): OldTraces {
    const known = this.#looks.get(projectId);
    if (known?.time === time) return known;
    const looks = new OldTraces(this.#connection, projectId, time, { maxKept: this.#maxKept });
    this.#looks.set(projectId, looks);
    return looks;
  }

  /** They are gone for every reader. What the server could not carry out yet is told by the next step, which waits for it first. */
  async #carriedOut(removed: Removed, { signal }: ReadOptions): Promise<Removed> {
    await this.#removals.ended(signal).catch(() => undefined);
    return removed;
  }

  async #noteBefore(step: Step, asked: ReadOptions): Promise<Removed | Postponed> {
    const { projectId, maxCalls } = step;
    let givenUp: AbortSignal | undefined;
    const options = (signal: AbortSignal): ReadOptions => ({
      deadlineMs: Infinity,
      ...asked,
      signal: asked.signal === undefined ? signal : AbortSignal.any([signal, asked.signal]),
    });
    try {
      return await this.#writer.readFirst<Found, Removed | Postponed>(projectId, {
        givenUp: { failed: `Cannot remove what is old in "${projectId}"`, advice: 'the next round tries again' },
        read: async (signal) => {
          givenUp = signal;
          return await this.#find(step, options(signal));
        },
        readSince: async (found, ids, signal) => {
          if (ids.length > this.#maxSince) return await this.#find(step, options(signal));
          return await this.#withoutBusy(step, found, ids, options(signal));
        },
        // However many there are: all that is old is not looked for while nobody writes. What takes long is left to the next round.
        readSoon: async (found, ids, signal) =>
          await this.#withoutBusy(step, found, ids, { ...options(signal), deadlineMs: this.#aloneMs }),
        work: async ({ old, areOthersLeft }, groups) => {
          asked.signal?.throwIfAborted();
          return areOthersLeft ? 'others are left' : await this.#note(step, old, { groups, asked });
        },
      });
    } catch (error) {
      if (error === givenUp?.reason && maxCalls > this.#minCalls) return 'too much was written';
      throw error;
    }
  }

  /** The server is asked for what is left to it only where there is more to come. */
  async #find({ looks, maxCalls }: Step, options: ReadOptions): Promise<Found> {
    const old = await looks.look(maxCalls, options);
    const isNothing = old.calls.length === 0 && old.halves.length === 0;
    return { old, areOthersLeft: !isNothing && (await this.#removals.areLeft(options.signal)) };
  }

  /** Without the traces of calls that were written since. */
  async #withoutBusy(
    { projectId, looks }: Step,
    { old, areOthersLeft }: Found,
    ids: readonly string[],
    options: ReadOptions,
  ): Promise<Found> {
    const busy = await tracesOfCalls(this.#connection, { projectId, ids }, options);
    const written = new Set(ids);
    const calls = old.calls.filter((call) => !busy.has(call.trace_id));
    const whole = new Set([...old.whole].filter((trace) => !busy.has(trace)));
    const halves = old.halves.filter((id) => !written.has(id));
    // What has happened to them may be as old.
    const until = calls.length < old.calls.length ? looks.from : old.until;
    return { old: { calls, whole, halves, until }, areOthersLeft };
  }

  async #note({ projectId, looks }: Step, old: Old, { groups, asked }: Noting): Promise<Removed> {
    const removals = this.#removals.step(asked.signal);
    await removeCalls(removals, projectId, old.calls);
    await removeHalves(removals, projectId, old.halves);
    looks.passOver(old.until);
    const ids = [...old.calls.map(({ id }) => id), ...old.halves];
    groups.forget(projectId, ids);
    return { traces: old.whole.size, calls: ids.length };
  }
}

/** Keys of deleted calls stay, whose rows are in none of the traces. */
async function removeCalls(removals: RemovalStep, projectId: string, calls: readonly OldCall[]): Promise<void> {
  if (calls.length === 0) return;
  const ids = calls.map(({ id }) => id);
  await removeFeedback(removals, projectId, ids);
  const traces = [...new Set(calls.map(({ trace_id: trace }) => trace))];
  const inTraces = sql`trace_id IN ${oneOf(traces)}`;
  // Another service may have taken in more of these traces since: what was not read stays, whole.
  const isRead = sql`id IN ${oneOf(ids)}`;
  const ofProject = sql`project_id = ${bind(projectId)}`;
  await removals.note('call_keys', sql`${ofProject} AND ${inTraces} AND is_gone = 0 AND ${isRead}`);
  // The key of the table says where they are: parts and reads of other times are not looked at.
  const inTime = sql`intDiv(started_at, 60000000) BETWEEN ${bind(firstMinute(calls))} AND ${bind(lastMinute(calls))}`;
  await removals.note('calls', sql`${ofProject} AND ${inTime} AND ${inTraces} AND is_deleted = 0 AND ${isRead}`);
}

async function removeHalves(removals: RemovalStep, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await removeFeedback(removals, projectId, ids);
  await removals.note('call_halves', sql`project_id = ${bind(projectId)} AND id IN ${oneOf(ids)}`);
}

/** Before the calls: where it fails they are found again, and what is said about calls that have gone never would be. */
async function removeFeedback(removals: RemovalStep, projectId: string, ids: readonly string[]): Promise<void> {
  const refs = ids.map((id) => formatCallRef(projectId, id));
  await removals.note('feedback', sql`project_id = ${bind(projectId)} AND svc_ref IN ${oneOf(refs)}`);
}

interface Noting {
  readonly groups: GroupWriter;
  readonly asked: ReadOptions;
}

interface Step {
  readonly projectId: string;
  readonly looks: OldTraces;
  readonly maxCalls: number;
}

interface Found {
  readonly old: Old;
  /** Has the server removals to carry out before these? */
  readonly areOthersLeft: boolean;
}

/** Why nothing was removed, while there may be something. */
type Postponed = 'others are left' | 'too much was written';

function firstMinute(calls: readonly OldCall[]): number {
  return calls.reduce((first, { minute }) => Math.min(first, minute), Infinity);
}

function lastMinute(calls: readonly OldCall[]): number {
  return calls.reduce((last, { minute }) => Math.max(last, minute), -Infinity);
}
