import { at } from '../../tree/numbers.ts';
import type { PairTable, ShownOrigin } from '../answer/answer.ts';
import { codeOfRun, runOfCode } from '../../tree/row-code.ts';
import { PAIR_KINDS, type PairKind } from '../answer/pair-kinds.ts';

const NONE = -1;

/** Pairs of one op in a row that differ alike, in nothing below them: one line until it is opened. */
export interface PairRun {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The shape of a comparison, as far as it does not depend on what is folded. */
export interface PairTree {
  readonly depth: Int32Array;
  /** How many pairs a pair is with all below it. */
  readonly size: Int32Array;
  /** How many of those differ. */
  readonly differing: Int32Array;
  /** The run that a pair is one of; -1: none. */
  readonly runOf: Int32Array;
  readonly runs: readonly PairRun[];
  /** The lines that differ, by their codes, from top to bottom: of what only one side has, the topmost. */
  readonly differences: Int32Array;
  /** How many lines a pair takes with all below it, its runs folded. */
  readonly lines: Int32Array;
  /** How many origins are below a pair. */
  readonly causesBelow: Int32Array;
}

/** Fewer are shown one by one. */
const LEAST_RUN = 6;

export function kindAt({ kind }: Pick<PairTable, 'kind'>, pair: number): PairKind {
  return PAIR_KINDS[at(kind, pair)] ?? 'same';
}

export function isOneSided(kind: PairKind): boolean {
  return kind === 'only_a' || kind === 'only_b';
}

/** The pair that a line stands for; of a run the first. */
export function pairOfCode({ runs }: Pick<PairTree, 'runs'>, code: number): number {
  return code < 0 ? (runs[runOfCode(code)]?.first ?? 0) : code;
}

export function pairTree(pairs: PairTable, origins: readonly ShownOrigin[]): PairTree {
  const { count, parent, kind } = pairs;
  const depth = new Int32Array(count);
  const size = new Int32Array(count).fill(1);
  const differing = Int32Array.from(kind, (each) => Number(each !== 0));
  for (let pair = 0; pair < count; pair++) {
    const above = at(parent, pair);
    if (above >= 0) depth[pair] = at(depth, above) + 1;
  }
  // From the last one on: what is below a pair stands behind it.
  for (let pair = count - 1; pair >= 0; pair--) {
    const above = at(parent, pair);
    if (above < 0) continue;
    size[above] = at(size, above) + at(size, pair);
    differing[above] = at(differing, above) + at(differing, pair);
  }
  const shape = { depth, size, differing };
  const { runs, runOf } = runsOf(pairs, shape);
  const found = { ...shape, runs, runOf };
  return {
    ...found,
    differences: differencesOf(pairs, found),
    lines: linesOf(pairs, found),
    causesBelow: causesBelow(pairs, origins),
  };
}

type Shape = Pick<PairTree, 'depth' | 'size' | 'differing'>;

interface OpenRun {
  readonly key: string;
  readonly first: number;
  last: number;
  count: number;
}

function runsOf(pairs: PairTable, { size, differing }: Shape): Pick<PairTree, 'runs' | 'runOf'> {
  const open = new Map<number, OpenRun>();
  const runs: PairRun[] = [];
  const finish = (run: OpenRun | undefined): void => {
    if (run !== undefined && run.count >= LEAST_RUN) runs.push(run);
  };
  for (let pair = 0; pair < pairs.count; pair++) {
    const kind = kindAt(pairs, pair);
    const above = at(pairs.parent, pair);
    const isAlone = !isOneSided(kind) && at(differing, pair) > Number(kind !== 'same');
    const key = isAlone ? '' : `${at(pairs.op, pair)} ${kind} ${at(pairs.cause, pair)} ${at(pairs.isCut, pair)}`;
    const known = open.get(above);
    if (known !== undefined && known.key === key && !isAlone) {
      known.last = pair;
      known.count += 1;
      continue;
    }
    finish(known);
    open.set(above, { key, first: pair, last: pair, count: 1 });
  }
  for (const run of open.values()) finish(run);
  runs.sort((one, other) => one.first - other.first);
  const runOf = new Int32Array(pairs.count).fill(NONE);
  for (const [run, { first, last }] of runs.entries()) {
    for (let pair = first; pair <= last; pair += at(size, pair)) runOf[pair] = run;
  }
  return { runs, runOf };
}

function differencesOf(
  pairs: PairTable,
  { size, runs, runOf }: Omit<PairTree, 'differences' | 'causesBelow' | 'lines'>,
): Int32Array {
  const codes: number[] = [];
  for (let pair = 0; pair < pairs.count;) {
    const kind = kindAt(pairs, pair);
    const run = at(runOf, pair);
    if (kind !== 'same') codes.push(run === NONE ? pair : codeOfRun(run));
    const last = run === NONE ? pair : (runs[run]?.last ?? pair);
    pair = run !== NONE || isOneSided(kind) ? last + at(size, last) : pair + 1;
  }
  return Int32Array.from(codes);
}

function linesOf({ count, parent }: PairTable, { runs, runOf }: Pick<PairTree, 'runs' | 'runOf'>): Int32Array {
  const lines = new Int32Array(count).fill(1);
  for (let pair = count - 1; pair >= 0; pair--) {
    const above = at(parent, pair);
    const run = runs[at(runOf, pair)];
    if (above < 0) continue;
    if (run === undefined) lines[above] = at(lines, above) + at(lines, pair);
    else if (run.first === pair) lines[above] = at(lines, above) + 1;
  }
  return lines;
}

function causesBelow({ count, parent }: PairTable, origins: readonly ShownOrigin[]): Int32Array {
  const found = new Int32Array(count);
  /** The last origin that was counted at a pair, so that each counts once. */
  const counted = new Int32Array(count).fill(NONE);
  for (const [origin, { pairs }] of origins.entries()) {
    for (const pair of pairs) {
      for (let above = at(parent, pair); above >= 0 && at(counted, above) !== origin; above = at(parent, above)) {
        counted[above] = origin;
        found[above] = at(found, above) + 1;
      }
    }
  }
  return found;
}
