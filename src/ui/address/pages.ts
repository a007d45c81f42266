import { type Codec, codecOf } from './codec.ts';
import { flag, list, oneOf, span, text } from './params.ts';

/** The state that the address of Calls holds beside the project. */
export interface CallsState {
  /** The filter, as it is typed. */
  readonly q: string;
  /** `24h`, `7d`, `all`, or two instants: `2026-11-23T05:00:00Z,2026-11-23T06:00:00Z`. */
  readonly t: string;
  readonly roots: boolean;
  /** Columns in their order; none: those remembered. */
  readonly cols: readonly string[];
  /** A column, with `-` before it for descending. */
  readonly sort: string;
  /** Id of a saved view that is opened: in its place comes what it was saved with. */
  readonly view: string;
  /** Id of the call in the panel. */
  readonly sel: string;
  /** In the panel stands what some calls have more or less often than others. */
  readonly why: boolean;
  /** Ids of these calls; none: those of the filter. */
  readonly of: readonly string[];
  readonly live: boolean;
}

/** A panel beside a list is no part of it. */
export const NOTHING_BESIDE = { sel: '', why: false, of: [] } as const satisfies Partial<CallsState>;

export const CALLS: Codec<CallsState> = codecOf({
  q: text(),
  t: text('24h'),
  roots: flag(true),
  cols: list(),
  sort: text('-started'),
  view: text(),
  sel: text(),
  why: flag(false),
  of: list(),
  live: flag(true),
});

export const TRACE_VIEWS = ['tree', 'flame', 'heavy', 'graph', 'chat'] as const;

/** The state that the address of a trace holds beside its id. */
export interface TraceState {
  readonly call: string;
  readonly as: (typeof TRACE_VIEWS)[number];
  readonly tab: string;
  /** Zoom: from and to, in ms since the trace began. */
  readonly z: readonly [number, number] | undefined;
  readonly f: string;
  /** Ids of calls that are folded, or `-` before those that are opened against the default. */
  readonly fold: readonly string[];
  /** New calls are shown at once. */
  readonly live: boolean;
}

export const TRACE: Codec<TraceState> = codecOf({
  call: text(),
  as: oneOf<TraceState['as']>('tree', 'flame', 'heavy', 'graph', 'chat'),
  tab: text(),
  z: span(),
  f: text(),
  fold: list(),
  live: flag(true),
});

const COMPARE_VIEWS = ['tree', 'io', 'code', 'stats'] as const;

/** The state that the address of a comparison holds beside the project. */
export interface CompareState {
  /** Id of a call or a trace; `prev` on one side: the one before the other. */
  readonly a: string;
  readonly b: string;
  readonly as: (typeof COMPARE_VIEWS)[number];
  /** Id of one of the calls that are selected. */
  readonly call: string;
  /** The part of these calls that is shown below the tree. */
  readonly tab: string;
  /** Only what differs. */
  readonly only: boolean;
  readonly f: string;
  /** Lines that are open or folded against the default. */
  readonly fold: readonly string[];
}

export const COMPARE: Codec<CompareState> = codecOf({
  a: text(),
  b: text('prev'),
  as: oneOf<CompareState['as']>(...COMPARE_VIEWS),
  call: text(),
  tab: text(),
  only: flag(false),
  f: text(),
  fold: list(),
});

/** The state that the address of Threads holds beside the project. */
export interface ThreadsState {
  /** Part of an id or of what a thread begins with. */
  readonly q: string;
  /** As in Calls, for when a thread was said something in. */
  readonly t: string;
  readonly live: boolean;
}

export const THREADS: Codec<ThreadsState> = codecOf({ q: text(), t: text('7d'), live: flag(true) });

/** The state that the address of Runs holds beside the project. */
export interface RunsState {
  /** Part of what a run is known by. */
  readonly q: string;
  readonly live: boolean;
}

export const RUNS: Codec<RunsState> = codecOf({ q: text(), live: flag(true) });

export interface ThreadState {
  readonly turn: string;
  readonly call: string;
  /** The words that are looked for in the turns. */
  readonly f: string;
  readonly live: boolean;
}

export const THREAD: Codec<ThreadState> = codecOf({ turn: text(), call: text(), f: text(), live: flag(true) });
