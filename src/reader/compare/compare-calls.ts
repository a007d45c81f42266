import type { Call } from '../../protocol/call.ts';
import { opNameOf } from '../../protocol/ref.ts';
import { align, type Level } from './align.ts';
import { causeOf } from './cause.ts';
import { comparedText } from './compared-text.ts';
import type { ComparedCall, Comparison } from './comparison.ts';
import { hasCut } from './cut-values.ts';
import { type Forest, forestOf } from './forest.ts';
import { modelsUsedBy, numbersOfTrace } from './numbers.ts';
import { countsOf, originsAmong, withOrigins } from './origins.ts';
import { type OwnValues, ownValuesOf } from './own-values.ts';
import { timesAmong } from './times.ts';

export interface CompareOptions {
  /** All calls of the trace of which A is a part: their ids and times may be among its values. @default A */
  readonly wholeA?: readonly Call[];
  /** The same of B. @default B */
  readonly wholeB?: readonly Call[];
}

/**
 * Compares two traces, or parts of traces, of which the calls were read whole and with their costs. On each level the calls
 * are paired: those of the same op with the same inputs first, then those of the same op. Each pair has one cause at most.
 *
 * @example
 * const { origins } = compareCalls(callsOfYesterday, callsOfToday);
 * console.log(origins.map(({ kind, op }) => `${kind} of ${op}`));
 */
export function compareCalls(
  a: readonly Call[],
  b: readonly Call[],
  { wholeA = a, wholeB = b }: CompareOptions = {},
): Comparison {
  const calls = withOrigins(pairedCalls(sideOf(a, wholeA), sideOf(b, wholeB)));
  const counts = countsOf(calls);
  return {
    a: numbersOfTrace(a),
    b: numbersOfTrace(b),
    isSame: counts.same === calls.length,
    origins: originsAmong(calls),
    times: timesAmong(calls),
    counts,
    calls,
  };
}

interface Side {
  readonly forest: Forest;
  readonly own: OwnValues;
}

function sideOf(calls: readonly Call[], whole: readonly Call[]): Side {
  return { forest: forestOf(calls), own: ownValuesOf(whole) };
}

interface OpenLevel {
  readonly parent: number | null;
  readonly a: readonly Call[];
  readonly b: readonly Call[];
}

function pairedCalls(a: Side, b: Side): ComparedCall[] {
  const numberOf = numbering();
  const found: ComparedCall[] = [];
  // An explicit stack: a trace may be deeper than the call stack. What is open is told from its end on.
  const open: (ComparedCall | OpenLevel)[] = [{ parent: null, a: a.forest.roots, b: b.forest.roots }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!('cause' in next)) {
      for (const call of pairsOf(next, { a, b, numberOf }).reverse()) open.push(call);
      continue;
    }
    found.push(next);
    open.push({ parent: found.length - 1, a: a.forest.childrenOf(next.a), b: b.forest.childrenOf(next.b) });
  }
  return found;
}

interface Pairing {
  readonly a: Side;
  readonly b: Side;
  readonly numberOf: (text: string) => number;
}

function pairsOf(level: OpenLevel, { a, b, numberOf }: Pairing): ComparedCall[] {
  const levels = { a: levelOf(level.a, a.own, numberOf), b: levelOf(level.b, b.own, numberOf) };
  return align(levels.a, levels.b).map((pair) => {
    const [one, other] = [at(level.a, pair.a), at(level.b, pair.b)];
    const call = {
      a: one,
      b: other,
      parent: level.parent,
      cause: null,
      isOrigin: false,
      isMoved: pair.isMoved,
      isCut: false,
    };
    if (one === null || other === null) return call;
    const cause = causeOf({
      a: one,
      b: other,
      own: { a: a.own, b: b.own },
      hasSameInputs: at(levels.a.keys, pair.a) === at(levels.b.keys, pair.b),
      models: {
        a: modelsUsedBy(one, a.forest.childrenOf(one)),
        b: modelsUsedBy(other, b.forest.childrenOf(other)),
      },
    });
    return { ...call, cause: cause ?? null, isCut: cause === undefined && [one, other].some(isCutCall) };
  });
}

function isCutCall({ inputs, output, exception }: Call): boolean {
  return hasCut(inputs) || hasCut(output) || hasCut(exception);
}

function levelOf(calls: readonly Call[], own: OwnValues, numberOf: Pairing['numberOf']): Level {
  const names = calls.map(({ op_name: name }) => numberOf(opNameOf(name)));
  const keys = calls.map(({ inputs }, index) => numberOf(`${names[index]} ${comparedText(inputs, own)}`));
  return { keys, names };
}

/** The same number for the same text, in both sides. */
function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

function at<Item>(items: readonly Item[], index: number | undefined): Item | null {
  return index === undefined ? null : (items[index] ?? null);
}
