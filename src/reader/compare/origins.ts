import { opNameOf } from '../../protocol/ref.ts';
import type { Cause } from './cause.ts';
import type { ComparedCall, DifferenceCounts, Origin } from './comparison.ts';

/** In the order in which they are told: what somebody has changed, what was given, what came of itself. */
const KINDS: readonly Origin['kind'][] = ['code', 'object', 'input', 'model', 'settings', 'output', 'only_a', 'only_b'];

/** The way in which a pair differs; `undefined` where it does not. */
export function kindOf({ a, b, cause }: ComparedCall): Origin['kind'] | undefined {
  if (a === null) return 'only_b';
  return b === null ? 'only_a' : cause?.kind;
}

/** Its difference, or how far it is alike. */
export function standingOf(call: ComparedCall): keyof DifferenceCounts {
  return kindOf(call) ?? (call.isCut ? 'cut' : 'same');
}

export function countsOf(calls: readonly ComparedCall[]): DifferenceCounts {
  const counts = {
    same: 0,
    cut: 0,
    ...(Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Origin['kind'], number>),
  };
  for (const call of calls) counts[standingOf(call)] += 1;
  return counts;
}

/** The place of a call among the differences above it. */
interface Standing {
  /** One above it was given or does something else, which may be the reason of all below. */
  readonly isBelowReason: boolean;
  /** Differences of those above it. */
  readonly above: number;
}

/**
 * The same calls, of which those are marked whose difference no other one can be the reason of. An output that differs
 * may come of any difference below it; inputs, and calls that only one side has, of any above, or of what came before them.
 */
export function withOrigins(calls: readonly ComparedCall[]): ComparedCall[] {
  const hasBelow = withDifferencesBelow(calls);
  const standings: Standing[] = [];
  let before = 0;
  return calls.map((call, index) => {
    const above = call.parent === null ? undefined : standings[call.parent];
    const { isBelowReason = false, above: countAbove = 0 } = above ?? {};
    const kind = kindOf(call);
    const isFirst = !isBelowReason && before === countAbove;
    const differs = Number(kind !== undefined);
    standings.push({ isBelowReason: isBelowReason || isReason(kind), above: countAbove + differs });
    before += differs;
    return { ...call, isOrigin: isOriginOf(kind, { isFirst, hasBelow: hasBelow[index] === true }) };
  });
}

function isOriginOf(
  kind: Origin['kind'] | undefined,
  { isFirst, hasBelow }: { readonly isFirst: boolean; readonly hasBelow: boolean },
): boolean {
  switch (kind) {
    case undefined:
      return false;
    case 'code':
    case 'object':
    case 'model':
    case 'settings':
      return true;
    case 'output':
      return !hasBelow;
    case 'input':
    case 'only_a':
    case 'only_b':
      return isFirst;
  }
}

/** Another output is no reason of what was called before it came. */
function isReason(kind: Origin['kind'] | undefined): boolean {
  return kind !== undefined && kind !== 'output';
}

function withDifferencesBelow(calls: readonly ComparedCall[]): boolean[] {
  const found = calls.map(() => false);
  // From the last one on: children stand behind their parents.
  for (let index = calls.length - 1; index >= 0; index--) {
    const call = calls[index];
    if (call === undefined || call.parent === null) continue;
    if (found[index] === true || kindOf(call) !== undefined) found[call.parent] = true;
  }
  return found;
}

/** The origins, the same change of several calls once. */
export function originsAmong(calls: readonly ComparedCall[]): Origin[] {
  const found = new Map<string, Origin & { readonly calls: number[] }>();
  for (const [index, call] of calls.entries()) {
    const kind = kindOf(call);
    if (!call.isOrigin || kind === undefined) continue;
    const op = opNameOf((call.b ?? call.a)?.op_name ?? '');
    const key = `${kind} ${keyOf(call.cause, op)}`;
    const known = found.get(key);
    if (known) known.calls.push(index);
    else found.set(key, { kind, cause: call.cause, op, calls: [index] });
  }
  return [...found.values()].toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

/** A setting or an object is handed down from call to call; anything else is one for each op. */
function keyOf(cause: Cause | null, op: string): string {
  switch (cause?.kind) {
    case 'code':
      return JSON.stringify(cause.version);
    case 'object':
      return inAnyOrder(cause.objects.map(({ kind, name, a, b }) => JSON.stringify([kind, name, a, b])));
    case 'model':
    case 'settings':
      return inAnyOrder(cause.changes.map(({ path, a, b }) => JSON.stringify([path.at(-1), a, b])));
    case 'output':
      // One that fails is not like one that says something else.
      return JSON.stringify([op, cause.ends]);
    default:
      return op;
  }
}

function inAnyOrder(texts: readonly string[]): string {
  return [...new Set(texts)].sort().join('\n');
}
