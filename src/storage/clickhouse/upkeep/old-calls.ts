import type { ReadOptions } from '../../contract/reads.ts';
import { bind, raw, sql, type Sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';

/** Traces that are known to stay, whose calls are passed over: about a megabyte of ids. */
const MAX_KEPT = 20_000;

/** Rows of a window are looked for among so many times as many at most, where a minute has no more. */
const MAX_TIMES = 4;

/** No time of the contract is before it. */
const FIRST_MINUTE = minuteOf(Number.MIN_SAFE_INTEGER) - 1;

/** A place in the order of the primary key of calls. */
export interface Place {
  readonly minute: number;
  readonly id: string;
}

export interface OldCall extends Place {
  readonly trace_id: string;
}

export interface SeenCall extends OldCall {
  /** The time of the last that has happened to it. */
  readonly last: number;
}

/** The oldest calls that were not passed over: all from one place to another. */
export interface Window {
  readonly calls: readonly SeenCall[];
  /** Undefined where there are no calls behind them. */
  readonly to: Place | undefined;
}

const MINUTE = 'intDiv(c.started_at, 60000000)';
const KEY = `c.project_id, ${MINUTE}, c.id`;
export const ORDER = raw(KEY);
export const PLACE = `${MINUTE} AS minute, c.id AS id`;
export const LAST = 'greatest(c.started_at, coalesce(c.ended_at, c.started_at))';

export interface OldCallsOptions {
  /** Ids of traces that are held. @default 20,000 */
  readonly maxKept?: number | undefined;
}

/** The calls of a project that have started before a time, from the oldest on; what was passed over is not read again. */
export class OldCalls {
  readonly time: number;
  readonly projectId: string;
  readonly #connection: Connection;
  readonly #maxKept: number;
  readonly #kept = new Set<string>();
  #from: Place | undefined;
  /** Of the window before: the next one is about as wide. */
  #minutes: number | undefined;

  constructor(connection: Connection, projectId: string, time: number, { maxKept = MAX_KEPT }: OldCallsOptions = {}) {
    this.#connection = connection;
    this.projectId = projectId;
    this.time = time;
    this.#maxKept = maxKept;
  }

  /** The last place that was passed over. */
  get from(): Place | undefined {
    return this.#from;
  }

  passOver(until: Place | undefined): void {
    this.#from = until;
  }

  /** Passes over the calls of a trace. Those beyond the bound are looked at again, as often as calls of theirs are met. */
  keep(trace: string): void {
    if (this.#kept.size < this.#maxKept) this.#kept.add(trace);
  }

  /** The edge is found among rows, of which a call may have several. */
  async window(size: number, options: ReadOptions): Promise<Window> {
    const to = await this.#edge(size, options);
    const calls = await this.#connection.all<SeenCall>(
      sql`SELECT ${raw(PLACE)}, c.trace_id AS trace_id, ${raw(LAST)} AS last FROM calls AS c FINAL
        WHERE ${this.#candidates()}${to === undefined ? raw('') : notAfter(to)} ORDER BY ${ORDER}`,
      options,
    );
    const [first, last] = [calls[0], calls.at(-1)];
    if (first !== undefined && last !== undefined) this.#minutes = last.minute - first.minute + 1;
    return { calls, to };
  }

  /** The last place of a window; undefined where it has all there are. */
  async #edge(size: number, options: ReadOptions): Promise<Place | undefined> {
    const minute = await this.#lastMinute(size, options);
    if (minute === undefined) return undefined;
    // A read in the order of the key ends soon only on newer servers, so that there is little to read behind the edge.
    const [edge] = await this.#connection.all<Place>(
      sql`SELECT ${raw(PLACE)} FROM calls AS c WHERE ${this.#candidates()} AND ${raw(MINUTE)} <= ${bind(minute)}
        ORDER BY ${ORDER} LIMIT 1 OFFSET ${bind(size - 1)}`,
      options,
    );
    // Merges may have taken rows meanwhile that newer ones had replaced.
    return edge ?? { minute: minute + 1, id: '' };
  }

  /**
   * A minute up to which there are as many rows as a window has, and few times as many at most where a minute has no more. Undefined
   * where there are less in all.
   */
  async #lastMinute(size: number, options: ReadOptions): Promise<number | undefined> {
    const end = minuteOf(this.time);
    // There are too few rows up to the one, and enough up to the other, as soon as that is known.
    let low = this.#from === undefined ? FIRST_MINUTE : this.#from.minute - 1;
    let high: number | undefined;
    let width = this.#from === undefined ? end - low : (this.#minutes ?? end - low);
    for (;;) {
      const next: number = high === undefined ? Math.min(end, low + width) : between(low, high, end);
      const count = await this.#countTo(next, MAX_TIMES * size, options);
      if (count < size && next === end) return undefined;
      if (count < size) low = next;
      else high = next;
      if (high !== undefined && (high - low <= 1 || (next === high && count < MAX_TIMES * size))) return high;
      width *= 2;
    }
  }

  /** Rows up to a minute, as far as they are counted. */
  async #countTo(minute: number, limit: number, options: ReadOptions): Promise<number> {
    const rows = sql`SELECT 1 FROM calls AS c WHERE ${this.#candidates()} AND ${raw(MINUTE)} <= ${bind(minute)} LIMIT ${bind(limit)}`;
    const [found] = await this.#connection.all<{ count: number }>(sql`SELECT count() AS count FROM (${rows})`, options);
    return found?.count ?? 0;
  }

  #candidates(): Sql {
    const kept = this.#kept.size === 0 ? raw('') : sql` AND c.trace_id NOT IN ${bindTexts([...this.#kept])}`;
    return sql`c.project_id = ${bind(this.projectId)} AND c.started_at < ${bind(this.time)}
      AND ${raw(MINUTE)} <= ${bind(minuteOf(this.time))}${this.#from === undefined ? raw('') : after(this.#from)}${kept}`;
  }
}

function after({ minute, id }: Place): Sql {
  return sql` AND ${raw(MINUTE)} >= ${bind(minute)} AND (${raw(MINUTE)} > ${bind(minute)} OR c.id > ${bind(id)})`;
}

function notAfter({ minute, id }: Place): Sql {
  return sql` AND ${raw(MINUTE)} <= ${bind(minute)} AND (${raw(MINUTE)} < ${bind(minute)} OR c.id <= ${bind(id)})`;
}

/** A minute between two. How old the oldest calls are is not known: minutes, or years. */
function between(low: number, high: number, end: number): number {
  const [oldest, newest] = [end - low, Math.max(1, end - high)];
  const isFar = oldest > 4 * newest;
  const middle = isFar ? end - Math.round(Math.sqrt(oldest * newest)) : Math.floor((low + high) / 2);
  return Math.min(high - 1, Math.max(low + 1, middle));
}
