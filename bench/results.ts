/** What one measurement varied between, over its rounds. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** One library on one workload. */
export interface Row {
  readonly workload: string;
  readonly adapter: string;
  readonly rounds: number;
  /** Calls of one round, those of the warm-up included. */
  readonly calls: number;
  readonly figures: Readonly<Record<string, Spread>>;
}

export interface Skipped {
  readonly workload: string;
  readonly adapter: string;
  readonly reason: string;
}

/** One run of the bench, as it is stored. */
export interface Results {
  readonly size: Size;
  readonly date: string;
  readonly seconds: number;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
    readonly node: string;
    /** Programs that wanted a core when the run began, on average over a minute. */
    readonly load: number;
  };
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  readonly skipped: readonly Skipped[];
}

export const SIZES = ['quick', 'short', 'full'] as const;

/** `short` runs everything with few calls: it proves that the bench works, and is no measurement. */
export type Size = (typeof SIZES)[number];

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    min: rounded(at(0)),
    median: rounded((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2),
    max: rounded(at(sorted.length - 1)),
  };
}

/** The value below which `share` of all values are. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Four digits: no measurement here has more. */
export function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));
}

/** The median of a figure; `undefined` where it was not measured. */
export function medianOf(results: Pick<Results, 'rows'>, workload: string, adapter: string, figure: string) {
  const row = results.rows.find((each) => each.workload === workload && each.adapter === adapter);
  return row?.figures[figure]?.median;
}
