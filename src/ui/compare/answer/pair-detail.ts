import type { Call } from '../../../protocol/call.ts';
import { countTokens } from '../../../protocol/token-counts.ts';
import { asJsonObject } from '../../../protocol/values/json-object.ts';
import { refIn } from '../../../reader/compare/compared-text.ts';
import type { ComparedCall } from '../../../reader/compare/comparison.ts';
import { hasCut } from '../../../reader/compare/cut-values.ts';
import { type Sides as OwnSides, type ValueChange, valueChanges } from '../../../reader/compare/value-changes.ts';
import { type DiffRow, diffRows } from '../text/diff-rows.ts';
import type { ShownObject, Sides } from './answer.ts';
import { pathText } from './shown-cause.ts';
import type { VersionChange } from '../../../reader/compare/cause.ts';

/** The contents of two calls that belong together, or of one that only one side has. */
export interface PairDetail {
  readonly input: PartDiff;
  readonly output: PartDiff;
  /** The errors that they ended with; empty: none of them did. */
  readonly error: readonly DiffRow[];
  /** The versions of its op; absent: a side has none. */
  readonly code?: VersionChange;
  /** Objects that its inputs refer to in other versions. */
  readonly objects: readonly ShownObject[];
  readonly usage: Sides<Usage | null>;
}

/** Tokens of a call with all below it, by what they are. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** Two values, place by place. */
export interface PartDiff {
  /** They are alike, but for what every run has anew. */
  readonly isSame: boolean;
  /** A part of one of them was not recorded. */
  readonly isCut: boolean;
  readonly changes: readonly ChangeDiff[];
  /** There are more places that differ. */
  readonly hasMore: boolean;
  /** Both as JSON, line by line; of values that are alike B alone. */
  readonly whole: readonly DiffRow[];
  /** Characters of the longer one, where not all of them are in `whole`. */
  readonly cutFrom?: number;
}

/** One place that differs. */
export interface ChangeDiff {
  /** Empty: the whole value. */
  readonly path: string;
  readonly rows: readonly DiffRow[];
  readonly cutFrom?: number;
}

/** Longer texts are compared as far as this: the page has to draw what it is told. */
const MAX_CHARACTERS = 100_000;
/** As many as `valueChanges` tells. */
const MAX_CHANGES = 100;
/** Of all places together; behind that each is told by its beginning. */
const MAX_ALL_CHARACTERS = 1_000_000;
const MAX_REST_CHARACTERS = 500;

export function pairDetail({ a, b }: ComparedCall, own: OwnSides): PairDetail {
  const changes = a === null || b === null ? [] : valueChanges(a.inputs, b.inputs, own);
  const code = codeOf(a, b);
  return {
    input: partDiff([a?.inputs, b?.inputs], changes, isOneSided(a, b)),
    output: outputDiff(a, b, own),
    error: diffRows(a?.exception ?? undefined, b?.exception ?? undefined),
    ...(code && { code }),
    objects: objectsOf(changes),
    usage: { a: usageOf(a), b: usageOf(b) },
  };
}

/** A call that failed, or has not ended, has no output: that is none which differs. */
function outputDiff(a: Call | null, b: Call | null, own: OwnSides): PartDiff {
  const [before, after] = [a?.output ?? undefined, b?.output ?? undefined];
  const isOfOne = (before === undefined) !== (after === undefined);
  if (isOfOne || isOneSided(a, b)) return partDiff([before, after], [], true);
  return partDiff([before, after], valueChanges(before ?? null, after ?? null, own), false);
}

function isOneSided(a: Call | null, b: Call | null): boolean {
  return a === null || b === null;
}

function partDiff([a, b]: readonly [unknown, unknown], found: readonly ValueChange[], isOfOne: boolean): PartDiff {
  const isSame = found.length === 0 && !isOfOne;
  const [before, after] = [cut(textOf(a)), cut(textOf(b))];
  let told = 0;
  const changes = found.map((change): ChangeDiff => {
    const most = told > MAX_ALL_CHARACTERS ? MAX_REST_CHARACTERS : MAX_CHARACTERS;
    const [one, other] = ['a' in change ? textOf(change.a) : undefined, 'b' in change ? textOf(change.b) : undefined];
    const longest = Math.max(one?.length ?? 0, other?.length ?? 0);
    told += Math.min(longest, most);
    return {
      path: pathText(change.path),
      rows: diffRows(cut(one, most), cut(other, most)),
      ...(longest > most && { cutFrom: longest }),
    };
  });
  const length = Math.max(textOf(a)?.length ?? 0, textOf(b)?.length ?? 0);
  return {
    isSame,
    isCut: hasCut(a) || hasCut(b),
    changes,
    hasMore: found.length >= MAX_CHANGES,
    whole: isSame ? diffRows(undefined, after) : diffRows(before, after),
    ...(length > MAX_CHARACTERS && { cutFrom: length }),
  };
}

/** A text as it is, and everything else as JSON. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value, undefined, 2);
}

function cut(text: string | undefined, most = MAX_CHARACTERS): string | undefined {
  return text === undefined || text.length <= most ? text : text.slice(0, most).toWellFormed();
}

function codeOf(a: Call | null, b: Call | null): VersionChange | undefined {
  const [one, other] = [a && refIn(a.op_name), b && refIn(b.op_name)];
  if (one?.kind !== 'op' || other?.kind !== 'op') return undefined;
  return { name: other.name, a: one.version, b: other.version };
}

function objectsOf(changes: readonly ValueChange[]): readonly ShownObject[] {
  const known = new Map<string, ShownObject>();
  for (const change of changes) {
    const [a, b] = [refIn(change.a), refIn(change.b)];
    if (a === undefined || b === undefined || !('version' in a) || !('version' in b)) continue;
    if (a.kind !== b.kind || a.name !== b.name) continue;
    known.set(`${a.kind} ${a.name} ${a.version} ${b.version}`, {
      kind: b.kind,
      name: b.name,
      a: a.version,
      b: b.version,
    });
  }
  return [...known.values()];
}

/** Null where no model was used. */
export function usageOf(call: Call | null): Usage | null {
  const usages = Object.values(asJsonObject(asJsonObject(call?.summary)['usage'])).map((usage) =>
    countTokens(asJsonObject(usage)),
  );
  if (usages.length === 0) return null;
  const sum = (read: (counts: (typeof usages)[number]) => number) =>
    usages.reduce((all, counts) => all + read(counts), 0);
  return {
    input: sum(({ prompt }) => prompt),
    cached: sum(({ cacheRead }) => cacheRead),
    output: sum(({ completion }) => completion),
  };
}
