import type { Call } from '../../../protocol/call.ts';
import { usageRoots } from '../../../protocol/usage-roots.ts';
import type { CallsApi } from '../../../reader/calls.ts';
import type { VersionChange } from '../../../reader/compare/cause.ts';
import { compareCalls } from '../../../reader/compare/compare-calls.ts';
import { readCompared } from '../../../reader/compare/compare-traces.ts';
import type { ComparedSide, Comparison } from '../../../reader/compare/comparison.ts';
import { ownValuesOf } from '../../../reader/compare/own-values.ts';
import type { Sides as OwnSides } from '../../../reader/compare/value-changes.ts';
import { versionIndex, versionText } from '../../../reader/compare/version-text.ts';
import type { FilesApi } from '../../../reader/files.ts';
import type { ObjectsApi } from '../../../reader/objects.ts';
import type { RequestOptions } from '../../../reader/request.ts';
import { type DiffRow, diffRows } from '../text/diff-rows.ts';
import type { CompareAnswer, ShownOrigin, Sides, SideTotals } from './answer.ts';
import { comparedTrace, findSides } from './find-sides.ts';
import { type PairDetail, pairDetail, usageOf } from './pair-detail.ts';
import { pairTable, shownCost, stateOf } from './pair-table.ts';
import { shownCause } from './shown-cause.ts';

export interface CompareOptions extends RequestOptions {
  /** Told how many calls of both sides have come, while they come. */
  readonly onCount?: (count: number) => void;
}

/** Versions of an op or an object whose texts are laid side by side. */
export interface VersionDiff {
  readonly rows: readonly DiffRow[];
  /** Absent: the service does not have the version, or no longer. */
  readonly a?: number;
  readonly b?: number;
}

/** Reads and compares; contents stay where they were read, and are asked for pair by pair. */
export interface Comparer {
  compare(ids: Sides<string>, options?: CompareOptions): Promise<CompareAnswer>;
  /** Rejects when something else was compared since. @param key of the answer */
  pair(key: number, pair: number, options?: RequestOptions): Promise<PairDetail>;
  versions(change: VersionChange, options?: RequestOptions): Promise<VersionDiff>;
  /** The numbers of versions, `undefined` for those that the service does not have. */
  numbers(changes: readonly VersionChange[], options?: RequestOptions): Promise<readonly Sides<number | undefined>[]>;
  /** All questions that still wait fail. */
  close(): void;
}

/** The part of a reader that is needed. */
export interface CompareReader {
  readonly calls: Pick<CallsApi, 'get' | 'query'>;
  readonly objects: Pick<ObjectsApi, 'get'>;
  readonly files: Pick<FilesApi, 'get'>;
}

interface Current {
  readonly key: number;
  readonly comparison: Comparison;
  readonly own: OwnSides;
}

export function comparerOf(reader: CompareReader): Comparer {
  let current: Current | undefined;
  let keys = 0;
  return {
    async compare(ids, { signal, onCount = () => undefined } = {}) {
      const found = await findSides(reader, ids, { signal });
      const { a, b } = found.sides;
      if (a === undefined || b === undefined) return { state: 'missing', ...found };
      const counted = countingReader(reader, onCount);
      const read = await readCompared(counted, [comparedTrace(a), comparedTrace(b)], { signal });
      const { partA, partB, wholeA, wholeB } = read;
      const comparison = compareCalls(partA, partB, { wholeA, wholeB });
      const key = (keys += 1);
      current = { key, comparison, own: { a: ownValuesOf(wholeA), b: ownValuesOf(wholeB) } };
      return {
        state: 'compared',
        key,
        sides: { a, b },
        totals: { a: totalsOf(partA, comparison.a), b: totalsOf(partB, comparison.b) },
        origins: comparison.origins.map(({ kind, cause, op, calls }): ShownOrigin => ({
          kind,
          cause: cause && shownCause(cause),
          op,
          pairs: Int32Array.from(calls),
        })),
        times: comparison.times.map(({ calls, ...time }) => ({ ...time, pairs: Int32Array.from(calls) })),
        pairs: pairTable(comparison.calls),
      };
    },
    async pair(key, pair) {
      const call = current?.key === key ? current.comparison.calls[pair] : undefined;
      if (current === undefined || call === undefined) throw new Error('Something else was compared since');
      return pairDetail(call, current.own);
    },
    async versions({ name, a, b }, options) {
      const [one, other] = await Promise.all([
        versionText(reader, { name, digest: a }, options),
        versionText(reader, { name, digest: b }, options),
      ]);
      return {
        rows: diffRows(one?.text, other?.text),
        ...(one && { a: one.index }),
        ...(other && { b: other.index }),
      };
    },
    async numbers(changes, options) {
      const found: Sides<number | undefined>[] = [];
      // One after another: a session may ask so many things at a time.
      for (const { name, a, b } of changes) {
        found.push({
          a: await versionIndex(reader, { name, digest: a }, options),
          b: await versionIndex(reader, { name, digest: b }, options),
        });
      }
      return found;
    },
    close() {
      current = undefined;
    },
  };
}

/** The page is told so often. */
const COUNTED = 200;

function countingReader({ calls }: CompareReader, onCount: (count: number) => void): Pick<CompareReader, 'calls'> {
  let count = 0;
  return {
    calls: {
      get: (...args) => calls.get(...args),
      async *query(...args) {
        for await (const call of calls.query(...args)) {
          count += 1;
          if (count % COUNTED === 0) onCount(count);
          yield call;
        }
      },
    },
  };
}

function totalsOf(calls: readonly Call[], { durationMs, tokens, cost }: ComparedSide): SideTotals {
  const users = usageRoots(calls, (call) => usageOf(call) !== null);
  return {
    calls: calls.length,
    errors: calls.filter((call) => stateOf(call) === 'error').length,
    open: calls.filter((call) => stateOf(call) === 'open').length,
    durationMs,
    tokens,
    cached: users.reduce((sum, call) => sum + (usageOf(call)?.cached ?? 0), 0),
    cost: shownCost(cost),
  };
}
