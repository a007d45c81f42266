import type { ReadOptions } from '../../contract/reads.ts';
import { bind, raw, sql, type Sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { minuteOf } from '../read/call-columns.ts';
import { bindTexts } from '../statement.ts';
import { grouped } from '../write/grouped.ts';
import { LAST, type OldCall, ORDER, PLACE, type Window } from './old-calls.ts';

/** Times between which calls of a trace have started, those that are gone included. */
export interface Span {
  readonly trace_id: string;
  readonly earliest: number;
  readonly latest: number;
}

interface CountedTrace {
  readonly trace_id: string;
  readonly calls: number;
  readonly last: number;
}

/** Spans that are read together reach up to so many times as far as the least of them. */
const REACH_TIMES = 4;

/** The calls of traces that reach beyond a window, wherever they are. */
export class TracesAround {
  readonly #connection: Connection;
  readonly #projectId: string;
  readonly #begin: number;
  readonly #end: number;

  constructor(connection: Connection, projectId: string, { calls }: Window) {
    this.#connection = connection;
    this.#projectId = projectId;
    this.#begin = calls[0]?.minute ?? 0;
    this.#end = calls.at(-1)?.minute ?? 0;
  }

  /** Does it reach no further beyond the window than that is wide? */
  isNear(span: Span): boolean {
    return this.#reachOf(span) === 0;
  }

  /** How many calls they have, and when the last has happened in each. */
  async count(spans: readonly Span[], options: ReadOptions): Promise<CountedTrace[]> {
    return await this.#read<CountedTrace>(spans, printCounts, options);
  }

  /** So many of their calls at most, the oldest ones. */
  async oldest(spans: readonly Span[], maxCalls: number, options: ReadOptions): Promise<OldCall[]> {
    return await this.#read<OldCall>(spans, (calls) => printOldest(calls, maxCalls), options);
  }

  /**
   * Rows of a statement for each reach: what lies between the first and the last of those that are read together is looked at for
   * each of them, so that one which reaches over a year is no reason to look through a year for others.
   */
  async #read<Found>(spans: readonly Span[], statement: (calls: Sql) => Sql, options: ReadOptions): Promise<Found[]> {
    const classes = [...grouped(spans, (span) => this.#reachOf(span)).values()];
    const found = classes.map((some) => this.#connection.all<Found>(statement(this.#callsOf(some)), options));
    return (await Promise.all(found)).flat();
  }

  /** 0 within the width of the window, 1 within four times as far, and so on. */
  #reachOf({ earliest, latest }: Span): number {
    const width = Math.max(1, this.#end - this.#begin);
    const reach = Math.max(this.#begin - minuteOf(earliest), minuteOf(latest) - this.#end);
    return reach <= width ? 0 : Math.ceil(Math.log(reach / width) / Math.log(REACH_TIMES));
  }

  #callsOf(spans: readonly Span[]): Sql {
    const earliest = spans.reduce((time, span) => Math.min(time, span.earliest), Infinity);
    const latest = spans.reduce((time, span) => Math.max(time, span.latest), -Infinity);
    return sql`calls AS c FINAL WHERE c.project_id = ${bind(this.#projectId)}
      AND c.started_at BETWEEN ${bind(earliest)} AND ${bind(latest)}
      AND c.trace_id IN ${bindTexts(spans.map(({ trace_id: trace }) => trace))}`;
  }
}

function printCounts(calls: Sql): Sql {
  return sql`SELECT c.trace_id AS trace_id, count() AS calls, max(${raw(LAST)}) AS last FROM ${calls} GROUP BY c.trace_id`;
}

function printOldest(calls: Sql, maxCalls: number): Sql {
  return sql`SELECT ${raw(PLACE)}, c.trace_id AS trace_id FROM ${calls} ORDER BY ${ORDER} LIMIT ${bind(maxCalls)}`;
}
