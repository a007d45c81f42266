import { measure, type Measured, type Target } from './measure.ts';
import type { Section } from './plan.ts';
import { type Row, type Skipped, spreadOf } from './results.ts';

/** The figures of one round; several of them make a row. */
export type Sample = Readonly<Record<string, number>>;

export interface Outcome {
  readonly rows: readonly Row[];
  readonly skipped: readonly Skipped[];
}

export interface CountedTarget extends Target {
  /** Forgets the calls that it has. */
  reset(): Promise<void>;
  /** How many finished calls it has. */
  countCalls(): Promise<number>;
}

/** These send nothing. */
const SENDS_NOTHING = ['bare', 'als', 'record', 'json'];

/** What is measured on one workload, by whom and how often. */
export interface Measurement {
  readonly workload: string;
  readonly adapters: readonly string[];
  readonly rounds: number;
  /** One round of one library. */
  readonly measure: (adapter: string, round: number) => Promise<Measured>;
}

/** Measures all libraries of a section in turn. */
export function runSection(section: Section, target: CountedTarget): Promise<Outcome> {
  const { workload, adapters, rounds, program } = section;
  return inTurn({
    workload,
    adapters,
    rounds,
    measure: async (adapter) => {
      await target.reset();
      const measured = await measure(section, adapter, target);
      if ('skipped' in measured || program === 'import' || program === 'untraced') return measured;
      return withLost(measured, adapter, target);
    },
  });
}

/** Adds how many calls were lost, where calls are sent. */
export async function withLost(measured: Measured, adapter: string, target: CountedTarget): Promise<Measured> {
  if ('skipped' in measured || SENDS_NOTHING.includes(adapter)) return measured;
  const lost = measured.calls - (await target.countCalls());
  return { ...measured, figures: { ...measured.figures, lost } };
}

/** Measures one library after the other, round after round, so that all of them meet the same disturbances. */
export async function inTurn({ workload, adapters, rounds, measure: measureRound }: Measurement): Promise<Outcome> {
  const samples = new Map<string, Sample[]>();
  const calls = new Map<string, number>();
  const skipped: Skipped[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const adapter of adapters.filter((name) => skipped.every((each) => each.adapter !== name))) {
      const measured = await measureRound(adapter, round);
      if ('skipped' in measured) {
        skipped.push({ workload, adapter, reason: measured.skipped });
        samples.delete(adapter);
        continue;
      }
      samples.set(adapter, [...(samples.get(adapter) ?? []), measured.figures]);
      calls.set(adapter, Math.max(measured.calls, calls.get(adapter) ?? 0));
    }
  }
  const rows = [...samples].map(([adapter, of]) => rowOf(workload, adapter, calls.get(adapter) ?? 0, of));
  return { rows, skipped };
}

export function rowOf(workload: string, adapter: string, calls: number, samples: readonly Sample[]): Row {
  const names = Object.keys(samples[0] ?? {});
  const spreads = names.map((name) => [name, spreadOf(samples.map((sample) => sample[name] ?? Number.NaN))] as const);
  return { workload, adapter, rounds: samples.length, calls, figures: Object.fromEntries(spreads) };
}
