import type { ReadOptions } from '../../contract/reads.ts';
import { bind, raw, sql, type Sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';
import { grouped } from '../write/grouped.ts';

/** Traces that are known to stay, whose calls are passed over: about a megabyte of ids. */
const MAX_KEPT = 20_000;

/** A place in the order of the primary key of calls. */
export interface Place {
  readonly minute: number;
  readonly id: string;
}

export interface OldCall extends Place {
  readonly trace_id: string;
}

export interface Old {
  readonly calls: readonly OldCall[];
  /** Traces of which nothing is left when these calls are gone. */
  readonly whole: ReadonlySet<string>;
  /** Ids of ends without a start. */
  readonly halves: readonly string[];
  /** The last place that need not be looked at again when these calls are gone. */
  readonly until: Place | undefined;
}

interface SeenCall extends OldCall {
  /** The time of the last that has happened to it. */
  readonly last: number;
}

/** The oldest calls that were not passed over: all from one place to another. */
interface Window {
  readonly calls: readonly SeenCall[];
  /** Undefined where there are no calls behind them. */
  readonly to: Place | undefined;
}

/** Times between which calls of a trace have started, those that are gone included. */
interface Span {
  readonly trace_id: string;
  readonly earliest: number;
  readonly latest: number;
}

interface CountedTrace {
  readonly trace_id: string;
  readonly calls: number;
  readonly last: number;
}

interface Taken {
  readonly traces: ReadonlySet<string>;
  /** The first call of a trace that is not taken whole. */
  readonly rest: SeenCall | undefined;
  /** Is a trace, the only one, taken in part? */
  readonly isPart: boolean;
}

const MINUTE = 'intDiv(c.started_at, 60000000)';
const ORDER = raw(`c.project_id, ${MINUTE}, c.id`);
const PLACE = `${MINUTE} AS minute, c.id AS id`;
const LAST = 'greatest(c.started_at, coalesce(c.ended_at, c.started_at))';

/**
 * The traces of a project in which nothing has happened since a time, from the oldest calls on. A look reads so many of those as
 * may go together, and what belongs to their traces beside them; what was passed over is not read again.
 */
export class OldTraces {
  readonly time: number;
  readonly #connection: Connection;
  readonly #projectId: string;
  readonly #kept = new Set<string>();
  #from: Place | undefined;

  constructor(connection: Connection, projectId: string, time: number) {
    this.#connection = connection;
    this.#projectId = projectId;
    this.time = time;
  }

  /** The last place that was passed over. */
  get from(): Place | undefined {
    return this.#from;
  }

  passOver(until: Place | undefined): void {
    this.#from = until;
  }

  /**
   * Old traces that have so many calls together at most; of one that has more alone its oldest calls. Ends without a start come
   * where there are no calls behind them.
   */
  async look(maxCalls: number, options: ReadOptions): Promise<Old> {
    for (;;) {
      const window = await this.#window(maxCalls, options);
      const found = await this.#oldOf(window, maxCalls, options);
      if (window.to === undefined) return { ...found, halves: await this.#oldHalves(maxCalls, options) };
      if (found.calls.length > 0) return { ...found, halves: [] };
      this.passOver(window.to);
    }
  }

  /** The edge is found among rows, of which a call may have several: a read in their order ends there. */
  async #window(size: number, options: ReadOptions): Promise<Window> {
    const candidates = this.#candidates();
    const [to] = await this.#connection.all<Place>(
      sql`SELECT ${raw(PLACE)} FROM calls AS c WHERE ${candidates} ORDER BY ${ORDER} LIMIT 1 OFFSET ${bind(size - 1)}`,
      options,
    );
    const calls = await this.#connection.all<SeenCall>(
      sql`SELECT ${raw(PLACE)}, c.trace_id AS trace_id, ${raw(LAST)} AS last FROM calls AS c FINAL
        WHERE ${candidates}${to === undefined ? raw('') : notAfter(to)} ORDER BY ${ORDER}`,
      options,
    );
    return { calls, to };
  }

  #candidates(): Sql {
    const kept = this.#kept.size === 0 ? raw('') : sql` AND c.trace_id NOT IN ${bindTexts([...this.#kept])}`;
    return sql`c.project_id = ${bind(this.#projectId)} AND c.started_at < ${bind(this.time)}
      AND ${raw(MINUTE)} <= ${bind(minuteOf(this.time))}${this.#from === undefined ? raw('') : after(this.#from)}${kept}`;
  }

  async #oldOf(window: Window, maxCalls: number, options: ReadOptions): Promise<Omit<Old, 'halves'>> {
    const traces = grouped(window.calls, (call) => call.trace_id);
    const quiet = [...traces].filter(([, calls]) => this.#isQuiet(calls)).map(([trace]) => trace);
    const spans = await this.#spansOutside(window, quiet, options);
    const counts = await this.#countsOf(quiet, { window, traces, spans }, options);
    const taken = takenOf(traces, counts, maxCalls);
    const outside = spans.filter(({ trace_id: trace }) => taken.traces.has(trace));
    const isOutside = new Set(outside.map(({ trace_id: trace }) => trace));
    const inside = window.calls.filter(({ trace_id: id }) => taken.traces.has(id) && !isOutside.has(id));
    const others = await this.#around<OldCall>(window, outside, (calls) => printOldest(calls, maxCalls), options);
    return {
      calls: [...inside, ...others],
      whole: taken.isPart ? new Set() : taken.traces,
      until: this.#untilBefore(taken.rest, window),
    };
  }

  /** Has nothing happened since to any of these calls, which are some of a trace? */
  #isQuiet(calls: readonly SeenCall[]): boolean {
    const busy = calls.find(({ last }) => last >= this.time);
    if (busy !== undefined) this.#keep(busy.trace_id);
    return busy === undefined;
  }

  /** Those beyond the bound are looked at again, as often as calls of theirs are met. */
  #keep(trace: string): void {
    if (this.#kept.size < MAX_KEPT) this.#kept.add(trace);
  }

  /** The spans of traces that may have calls outside the window, of which the edges are minutes that it may share. */
  async #spansOutside(window: Window, traces: readonly string[], options: ReadOptions): Promise<Span[]> {
    if (traces.length === 0) return [];
    const rows = await this.#connection.all<Span>(
      sql`SELECT t.trace_id AS trace_id, min(t.first) AS earliest, max(t.last) AS latest FROM trace_time AS t
        WHERE t.project_id = ${bind(this.#projectId)} AND t.trace_id IN ${bindTexts(traces)} GROUP BY t.trace_id`,
      options,
    );
    const spans = new Map(rows.map((span) => [span.trace_id, span]));
    const from = this.#from?.minute ?? Number.NEGATIVE_INFINITY;
    const isInside = ({ earliest, latest }: Span) =>
      minuteOf(earliest) > from && (window.to === undefined ? latest < this.time : minuteOf(latest) < window.to.minute);
    // A call may be shown a moment before the times of its trace are.
    return traces.map((trace) => spans.get(trace) ?? spanOfAll(trace)).filter((span) => !isInside(span));
  }

  /** The numbers of the calls of old traces; traces that are not stay. */
  async #countsOf(
    quiet: readonly string[],
    { window, traces, spans }: Outside,
    options: ReadOptions,
  ): Promise<ReadonlyMap<string, number>> {
    const counts = new Map(quiet.map((trace) => [trace, traces.get(trace)?.length ?? 0]));
    for (const { trace_id: trace } of spans) counts.delete(trace);
    for (const { trace_id: trace, calls, last } of await this.#around<CountedTrace>(
      window,
      spans,
      printCounts,
      options,
    )) {
      if (last < this.time) counts.set(trace, calls);
      else this.#keep(trace);
    }
    return counts;
  }

  /** Rows of a statement on the calls of traces, wherever they are. Few traces reach far: what lies between is read for those alone. */
  async #around<Found>(
    window: Window,
    spans: readonly Span[],
    statement: (calls: Sql) => Sql,
    options: ReadOptions,
  ): Promise<Found[]> {
    const isNear = reachOf(window);
    const parts = [spans.filter(isNear), spans.filter((span) => !isNear(span))].filter(({ length }) => length > 0);
    const found = parts.map((part) => this.#connection.all<Found>(statement(this.#callsOf(part)), options));
    return (await Promise.all(found)).flat();
  }

  #callsOf(spans: readonly Span[]): Sql {
    const earliest = spans.reduce((time, span) => Math.min(time, span.earliest), Infinity);
    const latest = spans.reduce((time, span) => Math.max(time, span.latest), -Infinity);
    return sql`calls AS c FINAL WHERE c.project_id = ${bind(this.#projectId)}
      AND c.started_at BETWEEN ${bind(earliest)} AND ${bind(latest)}
      AND c.trace_id IN ${bindTexts(spans.map(({ trace_id: trace }) => trace))}`;
  }

  #untilBefore(rest: SeenCall | undefined, { calls, to }: Window): Place | undefined {
    if (rest === undefined) return to ?? calls.at(-1) ?? this.#from;
    return calls[calls.indexOf(rest) - 1] ?? this.#from;
  }

  async #oldHalves(maxCalls: number, options: ReadOptions): Promise<string[]> {
    const rows = await this.#connection.all<{ id: string }>(
      sql`SELECT DISTINCT id FROM call_halves FINAL
        WHERE project_id = ${bind(this.#projectId)} AND kind = 'end' AND ended_at < ${bind(this.time)} LIMIT ${bind(maxCalls)}`,
      options,
    );
    return rows.map(({ id }) => id);
  }
}

/** Calls of traces of a window that it does not show. */
interface Outside {
  readonly window: Window;
  readonly traces: ReadonlyMap<string, readonly SeenCall[]>;
  readonly spans: readonly Span[];
}

function printCounts(calls: Sql): Sql {
  return sql`SELECT c.trace_id AS trace_id, count() AS calls, max(${raw(LAST)}) AS last FROM ${calls} GROUP BY c.trace_id`;
}

function printOldest(calls: Sql, maxCalls: number): Sql {
  return sql`SELECT ${raw(PLACE)}, c.trace_id AS trace_id FROM ${calls} ORDER BY ${ORDER} LIMIT ${bind(maxCalls)}`;
}

function after({ minute, id }: Place): Sql {
  return sql` AND ${raw(MINUTE)} >= ${bind(minute)} AND (${raw(MINUTE)} > ${bind(minute)} OR c.id > ${bind(id)})`;
}

function notAfter({ minute, id }: Place): Sql {
  return sql` AND ${raw(MINUTE)} <= ${bind(minute)} AND (${raw(MINUTE)} < ${bind(minute)} OR c.id <= ${bind(id)})`;
}

function spanOfAll(trace: string): Span {
  return { trace_id: trace, earliest: Number.MIN_SAFE_INTEGER, latest: Number.MAX_SAFE_INTEGER };
}

/** Does a trace reach no further beyond a window than that is wide? */
function reachOf({ calls }: Window): (span: Span) => boolean {
  const [begin, end] = [calls[0]?.minute ?? 0, calls.at(-1)?.minute ?? 0];
  const width = Math.max(1, end - begin);
  return ({ earliest, latest }) => minuteOf(earliest) >= begin - width && minuteOf(latest) <= end + width;
}

/** Traces in the order of their first calls; those without a count are not old. */
function takenOf(
  traces: ReadonlyMap<string, readonly SeenCall[]>,
  counts: ReadonlyMap<string, number>,
  maxCalls: number,
): Taken {
  const taken = new Set<string>();
  let calls = 0;
  for (const [trace, [first]] of traces) {
    calls += counts.get(trace) ?? 0;
    if (calls > maxCalls && taken.size > 0) return { traces: taken, rest: first, isPart: false };
    if (counts.has(trace)) taken.add(trace);
    if (calls > maxCalls) return { traces: taken, rest: first, isPart: true };
  }
  return { traces: taken, rest: undefined, isPart: false };
}
