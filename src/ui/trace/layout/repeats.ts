import { type CallTree, NONE } from './call-tree.ts';
import { at, NumberList } from '../../tree/numbers.ts';
import { CallState } from './skeleton.ts';

/** More calls of one op in a row than this are shown as one line. */
const MAX_UNFOLDED = 20;

/** Runs of siblings of the same op, as columns indexed by run. */
export interface Repeats {
  readonly count: number;
  /** By call: its run; -1: none. */
  readonly runOf: Int32Array;
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly length: Int32Array;
  /** Calls that failed themselves. */
  readonly errors: Int32Array;
  /** Microseconds, of the calls that have ended; NaN: none has. */
  readonly p50: Float64Array;
  readonly max: Float64Array;
  /** When the last of them ended. */
  readonly end: Float64Array;
}

export interface RepeatedCalls {
  readonly tree: CallTree;
  readonly op: Uint32Array;
  readonly states: Uint8Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/**
 * Only siblings that follow each other fold together: a loop that asks and answers by turns keeps its order, however
 * often it goes round.
 */
export function repeatsOf(calls: RepeatedCalls): Repeats {
  const runOf = new Int32Array(calls.tree.count).fill(NONE);
  const bounds = runBounds(calls);
  const runs = bounds.map(([first, last], run) => measure(calls, first, last, (call) => (runOf[call] = run)));
  return {
    count: runs.length,
    runOf,
    first: Int32Array.from(bounds, ([first]) => first),
    last: Int32Array.from(bounds, ([, last]) => last),
    length: Int32Array.from(runs, (run) => run.length),
    errors: Int32Array.from(runs, (run) => run.errors),
    p50: Float64Array.from(runs, (run) => run.p50),
    max: Float64Array.from(runs, (run) => run.max),
    end: Float64Array.from(runs, (run) => run.end),
  };
}

/** First and last call of each run, in order of their parents' nodes. */
function runBounds({ tree, op }: RepeatedCalls): [number, number][] {
  const bounds: [number, number][] = [];
  for (let node = 0; node < tree.count + 2; node++) {
    if (at(tree.childCount, node) <= MAX_UNFOLDED) continue;
    let first = at(tree.firstChild, node);
    let length = 0;
    let last = first;
    for (let child = first; child !== NONE; child = at(tree.nextSibling, child)) {
      if (at(op, child) !== at(op, first)) {
        if (length > MAX_UNFOLDED) bounds.push([first, last]);
        first = child;
        length = 0;
      }
      last = child;
      length++;
    }
    if (length > MAX_UNFOLDED) bounds.push([first, last]);
  }
  return bounds;
}

interface Run {
  readonly length: number;
  readonly errors: number;
  readonly p50: number;
  readonly max: number;
  readonly end: number;
}

function measure(calls: RepeatedCalls, first: number, last: number, mark: (call: number) => void): Run {
  const members = new NumberList();
  for (let call = first; call !== NONE; call = call === last ? NONE : at(calls.tree.nextSibling, call)) {
    mark(call);
    members.push(call);
  }
  const all = members.toArray();
  const ended = all.filter((call) => hasEnded(at(calls.states, call)));
  const latencies = Float64Array.from(ended, (call) => at(calls.end, call) - at(calls.start, call)).sort();
  return {
    length: all.length,
    errors: all.reduce((sum, call) => sum + Number(at(calls.states, call) === CallState.error), 0),
    p50: latencies[Math.floor((latencies.length - 1) / 2)] ?? Number.NaN,
    max: latencies.at(-1) ?? Number.NaN,
    end: all.reduce((latest, call) => Math.max(latest, at(calls.end, call)), 0),
  };
}

function hasEnded(state: number): boolean {
  return state !== CallState.running && state !== CallState.neverEnded;
}
