import type { ReadOptions } from '../../contract/reads.ts';
import { bind, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';
import { grouped } from '../write/grouped.ts';
import { type OldCall, OldCalls, type OldCallsOptions, type Place, type SeenCall, type Window } from './old-calls.ts';
import { type Span, TracesAround } from './traces-around.ts';

/** Traces that reach far are counted so many first, and then twice as many each time: what the others have may be enough. */
const FIRST_COUNTED = 16;

export interface Old {
  readonly calls: readonly OldCall[];
  /** Traces of which nothing is left when these calls are gone. */
  readonly whole: ReadonlySet<string>;
  /** Ids of ends without a start. */
  readonly halves: readonly string[];
  /** The last place that need not be looked at again when these calls are gone. */
  readonly until: Place | undefined;
}

interface Taken {
  readonly traces: ReadonlySet<string>;
  /** The first call of a trace that is not taken whole. */
  readonly rest: SeenCall | undefined;
  /** Is a trace, the only one, taken in part? */
  readonly isPart: boolean;
}

/** Calls by their traces, in the order of the first of each. */
type Traces = ReadonlyMap<string, readonly SeenCall[]>;

/**
 * The traces of a project in which nothing has happened since a time, from the oldest calls on. A look reads so many of those as
 * may go together, and what belongs to their traces beside them; what was passed over is not read again.
 */
export class OldTraces {
  readonly #connection: Connection;
  readonly #calls: OldCalls;

  constructor(connection: Connection, projectId: string, time: number, options?: OldCallsOptions) {
    this.#connection = connection;
    this.#calls = new OldCalls(connection, projectId, time, options);
  }

  get time(): number {
    return this.#calls.time;
  }

  /** The last place that was passed over. */
  get from(): Place | undefined {
    return this.#calls.from;
  }

  passOver(until: Place | undefined): void {
    this.#calls.passOver(until);
  }

  /**
   * Old traces that have so many calls together at most; of one that has more alone its oldest calls. Ends without a start come
   * where there are no calls behind them.
   */
  async look(maxCalls: number, options: ReadOptions): Promise<Old> {
    for (;;) {
      const window = await this.#calls.window(maxCalls, options);
      const found = await this.#oldOf(window, maxCalls, options);
      if (window.to === undefined) return { ...found, halves: await this.#oldHalves(maxCalls, options) };
      if (found.calls.length > 0) return { ...found, halves: [] };
      this.passOver(window.to);
    }
  }

  async #oldOf(window: Window, maxCalls: number, options: ReadOptions): Promise<Omit<Old, 'halves'>> {
    const traces = grouped(window.calls, (call) => call.trace_id);
    const quiet = [...traces].filter(([, calls]) => this.#isQuiet(calls)).map(([trace]) => trace);
    const spans = await this.#spansOutside(window, quiet, options);
    const around = new TracesAround(this.#connection, this.#calls.projectId, window);
    const counts = new Map(quiet.map((trace) => [trace, traces.get(trace)?.length ?? 0]));
    for (const { trace_id: trace } of spans) counts.delete(trace);
    const taken = await this.#taken(traces, { spans, around, counts, maxCalls }, options);
    const outside = spans.filter(({ trace_id: trace }) => taken.traces.has(trace));
    const isOutside = new Set(outside.map(({ trace_id: trace }) => trace));
    const inside = window.calls.filter(({ trace_id: id }) => taken.traces.has(id) && !isOutside.has(id));
    const others = await around.oldest(outside, maxCalls, options);
    return {
      calls: [...inside, ...others],
      whole: taken.isPart ? new Set() : taken.traces,
      until: this.#untilBefore(taken.rest, window),
    };
  }

  /** Has nothing happened since to any of these calls, which are some of a trace? */
  #isQuiet(calls: readonly SeenCall[]): boolean {
    const busy = calls.find(({ last }) => last >= this.time);
    if (busy !== undefined) this.#calls.keep(busy.trace_id);
    return busy === undefined;
  }

  /** The spans of traces that may have calls outside the window, of which the edges are minutes that it may share. */
  async #spansOutside(window: Window, traces: readonly string[], options: ReadOptions): Promise<Span[]> {
    if (traces.length === 0) return [];
    const rows = await this.#connection.all<Span>(
      sql`SELECT t.trace_id AS trace_id, min(t.first) AS earliest, max(t.last) AS latest FROM trace_spans AS t
        WHERE t.project_id = ${bind(this.#calls.projectId)} AND t.trace_id IN ${bindTexts(traces)} GROUP BY t.trace_id`,
      options,
    );
    const spans = new Map(rows.map((span) => [span.trace_id, span]));
    const from = this.from?.minute ?? Number.NEGATIVE_INFINITY;
    const isInside = ({ earliest, latest }: Span) =>
      minuteOf(earliest) > from && (window.to === undefined ? latest < this.time : minuteOf(latest) < window.to.minute);
    // A call may be shown a moment before the times of its trace are.
    return traces.map((trace) => spans.get(trace) ?? spanOfAll(trace)).filter((span) => !isInside(span));
  }

  /**
   * Those of the traces that go together. Of those that reach far only so many are counted, in their order, as are looked at: each
   * costs what lies between its calls.
   */
  async #taken(traces: Traces, counted: Counted, options: ReadOptions): Promise<Taken> {
    const { spans, around, counts, maxCalls } = counted;
    const isNear = (span: Span) => around.isNear(span);
    await this.#count(spans.filter(isNear), counted, options);
    let far = spans.filter((span) => !isNear(span));
    for (let size = FIRST_COUNTED; ; size *= 2) {
      const taken = takenOf(traces, { counts, maxCalls, before: far[0]?.trace_id });
      if (taken.rest !== undefined || far.length === 0) return taken;
      await this.#count(far.slice(0, size), counted, options);
      far = far.slice(size);
    }
  }

  /** Adds the numbers of the calls of old traces; traces that are not stay. */
  async #count(spans: readonly Span[], { around, counts }: Counted, options: ReadOptions): Promise<void> {
    for (const { trace_id: trace, calls, last } of await around.count(spans, options)) {
      if (last < this.time) counts.set(trace, calls);
      else this.#calls.keep(trace);
    }
  }

  #untilBefore(rest: SeenCall | undefined, { calls, to }: Window): Place | undefined {
    if (rest === undefined) return to ?? calls.at(-1) ?? this.from;
    return calls[calls.indexOf(rest) - 1] ?? this.from;
  }

  async #oldHalves(maxCalls: number, options: ReadOptions): Promise<string[]> {
    const rows = await this.#connection.all<{ id: string }>(
      sql`SELECT DISTINCT id FROM call_halves FINAL WHERE project_id = ${bind(this.#calls.projectId)}
        AND kind = 'end' AND ended_at < ${bind(this.time)} LIMIT ${bind(maxCalls)}`,
      options,
    );
    return rows.map(({ id }) => id);
  }
}

interface Counted {
  /** Of traces that have calls outside a window, in the order of the first inside. */
  readonly spans: readonly Span[];
  readonly around: TracesAround;
  /** Numbers of the calls of old traces, as far as they are known. */
  readonly counts: Map<string, number>;
  readonly maxCalls: number;
}

function spanOfAll(trace: string): Span {
  return { trace_id: trace, earliest: Number.MIN_SAFE_INTEGER, latest: Number.MAX_SAFE_INTEGER };
}

interface Known {
  readonly counts: ReadonlyMap<string, number>;
  readonly maxCalls: number;
  /** The first trace of which nothing is known, if there is one. */
  readonly before: string | undefined;
}

/** Traces in their order; those without a count are not old. */
function takenOf(traces: Traces, { counts, maxCalls, before }: Known): Taken {
  const taken = new Set<string>();
  let calls = 0;
  for (const [trace, [first]] of traces) {
    if (trace === before) break;
    calls += counts.get(trace) ?? 0;
    if (calls > maxCalls && taken.size > 0) return { traces: taken, rest: first, isPart: false };
    if (counts.has(trace)) taken.add(trace);
    if (calls > maxCalls) return { traces: taken, rest: first, isPart: true };
  }
  return { traces: taken, rest: undefined, isPart: false };
}
