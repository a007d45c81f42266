import type { Size } from './results.ts';

export type Program = 'loop' | 'burst' | 'import';

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

export interface ServicePlan {
  /** Calls recorded by the library and stored by the service. */
  readonly delivered: number;
  /** Calls sent to the service by a load generator; what is read is read from them. */
  readonly ingested: number;
  readonly queries: number;
  readonly rounds: number;
}

export interface Plan {
  readonly sections: readonly Section[];
  readonly service: ServicePlan;
}

export const FLOORS = ['record', 'json', 'post', 'upsert', 'upsert-fast'];
/** Measured with packages of `bench/package.json`. */
export const COMPETITORS = ['openinference', 'traceloop', 'langfuse', 'lmnr', 'weave', 'langsmith', 'braintrust'];
const ALL = ['spoor', ...FLOORS, 'otel-json', 'otel-proto', ...COMPETITORS];
const DELIVERING = ALL.filter((name) => name !== 'record' && name !== 'json');

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
  ],
  service: { delivered: 200_000, ingested: 1_000_000, queries: 500, rounds: 2 },
};

export function planOf(size: Size): Plan {
  if (size === 'quick') return QUICK;
  return size === 'full' ? FULL : shortened(FULL);
}

function loop(workload: string, adapters: readonly string[], calls: number, rounds: number): Section {
  return { workload, program: 'loop', adapters, calls, rounds, limitMs: 2000 };
}

function shortened({ sections }: Plan): Plan {
  return {
    sections: sections.map((section) => ({
      ...section,
      calls: Math.ceil(section.calls / 20),
      rounds: 1,
      limitMs: 300,
    })),
    service: { delivered: 5000, ingested: 10_000, queries: 50, rounds: 1 },
  };
}
