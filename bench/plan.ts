import type { Way } from './faults/ends.ts';
import type { Size } from './results.ts';
import type { SinkState } from './sink-process.ts';

export type Program = 'loop' | 'burst' | 'import' | 'untraced';

/** One workload, and who is measured on it. */
export interface Section {
  readonly workload: string;
  readonly program: Program;
  readonly adapters: readonly string[];
  /** Steps of the loop, unless the time limit comes first. */
  readonly calls: number;
  readonly rounds: number;
  readonly limitMs: number;
}

/** A steady rate of calls while the receiver has trouble. */
export interface OutageSection {
  readonly state: Exclude<SinkState, 'well'>;
  readonly adapters: readonly string[];
  readonly rounds: number;
  readonly leadMs: number;
  readonly outageMs: number;
}

/** A program that ends after its calls. */
export interface EndSection {
  readonly way: Way;
  readonly adapters: readonly string[];
  readonly rounds: number;
  readonly calls: number;
}

/** A program that is killed while it makes calls. */
export interface KillSection {
  readonly adapters: readonly string[];
  readonly rounds: number;
  readonly leadMs: number;
}

export interface FaultPlan {
  readonly outages: readonly OutageSection[];
  readonly ends: readonly EndSection[];
  readonly kills: readonly KillSection[];
  /** Calls of a kilobyte while nobody listens. */
  readonly awayCalls: number;
}

export interface ServicePlan {
  /** Calls recorded by the library and stored by the service. */
  readonly delivered: number;
  /** Calls sent to the service by a load generator; what is read is read from them. */
  readonly ingested: number;
  readonly queries: number;
  readonly rounds: number;
  /** What takes longer. */
  readonly more?: {
    /** Calls of 8 KB. */
    readonly large: number;
    readonly searches: number;
    /** How long pages are read while calls are written. */
    readonly mixedMs: number;
  };
}

export interface Plan {
  readonly sections: readonly Section[];
  readonly faults?: FaultPlan;
  readonly service: ServicePlan;
}

const DELIVERED_FLOORS = ['post', 'upsert', 'upsert-fast'];
export const FLOORS = ['als', 'record', 'json', ...DELIVERED_FLOORS];
/** Measured with packages of `bench/package.json`. */
export const COMPETITORS = ['openinference', 'traceloop', 'langfuse', 'lmnr', 'weave', 'langsmith', 'braintrust'];
const DELIVERING = ['spoor', ...DELIVERED_FLOORS, 'otel-json', 'otel-proto', ...COMPETITORS];
const ALL = ['record', 'json', ...DELIVERING];
const STATES = ['failing', 'late', 'away'] as const;
const WAYS = ['natural', 'sigterm', 'error', 'exit'] as const;

const QUICK: Plan = {
  sections: [
    loop('small-async', ['spoor', 'upsert-fast', 'otel-json'], 50_000, 3),
    loop('tree', ['spoor', 'upsert-fast'], 100, 2),
    loop('small-sync', ['spoor', 'upsert-fast'], 40_000, 3),
    loop('chat', ['spoor', 'upsert', 'json'], 2500, 3),
    loop('generator', ['spoor', 'upsert-fast'], 400, 2),
    { workload: 'burst', program: 'burst', adapters: ['spoor', 'upsert'], calls: 100_000, rounds: 2, limitMs: 0 },
    { workload: 'import', program: 'import', adapters: ['spoor'], calls: 0, rounds: 5, limitMs: 0 },
  ],
  service: { delivered: 30_000, ingested: 50_000, queries: 100, rounds: 1 },
};

const FULL: Plan = {
  sections: [
    loop('small-async', ALL, 200_000, 3),
    loop('tree', ALL, 500, 3),
    loop('small-sync', ALL, 200_000, 3),
    loop('chat', ALL, 20_000, 3),
    loop('generator', ALL, 3000, 3),
    { workload: 'burst', program: 'burst', adapters: DELIVERING, calls: 100_000, rounds: 2, limitMs: 0 },
    {
      workload: 'import',
      program: 'import',
      adapters: ['spoor', 'otel-json', ...COMPETITORS],
      calls: 0,
      rounds: 9,
      limitMs: 0,
    },
    untraced(1_000_000, 5),
  ],
  faults: {
    outages: [
      ...outages(['spoor', 'otel-json'], 2, { leadMs: 1000, failing: 3000, late: 5000, away: 10_000 }),
      ...outages(COMPETITORS, 1, { leadMs: 1000, failing: 3000, late: 5000, away: 10_000 }),
    ],
    ends: [...ends(['spoor', 'bare', 'otel-json'], 5, 1000), ...ends(COMPETITORS, 1, 1000)],
    kills: [
      { adapters: ['spoor', 'spoor-crash', 'otel-json'], rounds: 5, leadMs: 1500 },
      { adapters: COMPETITORS, rounds: 3, leadMs: 1500 },
    ],
    awayCalls: 1_000_000,
  },
  service: {
    // What memory and disk may hold: a program that outruns the service for longer loses the rest.
    delivered: 80_000,
    ingested: 1_000_000,
    queries: 500,
    rounds: 2,
    more: { large: 50_000, searches: 7, mixedMs: 20_000 },
  },
};

/** The same with few calls, and without the competitors where one round of them takes long. */
const SHORT: Plan = {
  sections: FULL.sections.map((section) => ({
    ...section,
    calls: Math.ceil(section.calls / 20),
    rounds: 1,
    limitMs: 300,
  })),
  faults: {
    outages: outages(['spoor', 'otel-json'], 1, { leadMs: 300, failing: 500, late: 1000, away: 1000 }),
    ends: ends(['spoor', 'bare', 'otel-json'], 1, 1000),
    kills: [{ adapters: ['spoor', 'spoor-crash', 'otel-json'], rounds: 1, leadMs: 500 }],
    awayCalls: 100_000,
  },
  service: {
    delivered: 5000,
    ingested: 10_000,
    queries: 50,
    rounds: 1,
    more: { large: 2000, searches: 3, mixedMs: 2000 },
  },
};

export function planOf(size: Size): Plan {
  return { quick: QUICK, short: SHORT, full: FULL }[size];
}

function loop(workload: string, adapters: readonly string[], calls: number, rounds: number): Section {
  return { workload, program: 'loop', adapters, calls, rounds, limitMs: 2000 };
}

function untraced(calls: number, rounds: number): Section {
  const adapters = ['spoor', 'als', 'bare', 'otel-json'];
  return { workload: 'untraced', program: 'untraced', adapters, calls, rounds, limitMs: 0 };
}

function outages(
  adapters: readonly string[],
  rounds: number,
  { leadMs, ...outageMs }: Readonly<Record<(typeof STATES)[number] | 'leadMs', number>>,
): OutageSection[] {
  return STATES.map((state) => ({ state, adapters, rounds, leadMs, outageMs: outageMs[state] }));
}

function ends(adapters: readonly string[], rounds: number, calls: number): EndSection[] {
  return WAYS.map((way) => ({ way, adapters, rounds, calls }));
}
