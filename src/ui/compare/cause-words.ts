import type { Ends, VersionChange } from '../../reader/compare/cause.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { showControls } from '../json/show-controls.ts';
import type { ShownCause, ShownChange, ShownObject, ShownOrigin, ShownTime, Sides } from './answer/answer.ts';
import type { PairKind } from './answer/pair-kinds.ts';

/** Numbers of versions, by {@link versionKey}; those that nobody knows yet are not in it. */
export type VersionNumbers = ReadonlyMap<string, Sides<number | undefined>>;

export function versionKey({ name, a, b }: VersionChange): string {
  return JSON.stringify([name, a, b]);
}

const DIGEST_CHARACTERS = 8;

/** `v7 → v8`; of versions that the service does not have, the beginnings of their digests. */
export function versionWords(change: VersionChange, numbers: VersionNumbers): string {
  const { a, b } = numbers.get(versionKey(change)) ?? {};
  if (a === undefined || b === undefined || a === b) {
    return `${change.a.slice(0, DIGEST_CHARACTERS)} → ${change.b.slice(0, DIGEST_CHARACTERS)}`;
  }
  return `v${formatCount(a)} → v${formatCount(b)}`;
}

/** The cause in a row of the tree: `code v7 → v8`. */
export function causeWords(kind: PairKind, cause: ShownCause | undefined, numbers: VersionNumbers): string {
  if (kind === 'only_a') return 'only in A';
  if (kind === 'only_b') return 'only in B';
  switch (cause?.kind) {
    case undefined:
      return '';
    case 'code':
      return `code ${versionWords(cause.version, numbers)}`;
    case 'object':
      return objectWords(cause.objects, numbers);
    case 'output':
      return endWords(cause.ends);
    case 'input':
      return placeWords(cause.changes, cause.count);
    case 'model':
    case 'settings':
      return settingWords(cause.kind, cause.changes, cause.count);
  }
}

/** A likely reason of all differences, on top of the page: `plan: code v7 → v8`. */
export function originWords(origin: ShownOrigin, numbers: VersionNumbers): string {
  const { kind, cause, op, pairs } = origin;
  const name = showControls(op);
  const times = pairs.length === 1 ? '' : ` × ${formatCount(pairs.length)}`;
  if (kind === 'only_a') return `− ${name}${times}`;
  if (kind === 'only_b') return `+ ${name}${times}`;
  const words = causeWords(kind, cause ?? undefined, numbers);
  // An object has a name of its own, and stands for itself wherever it is used.
  return cause?.kind === 'object' ? `${words}${times}` : `${name}: ${words}${times}`;
}

/** The same as a sentence, for who points at it. */
export function originSentence(origin: ShownOrigin, numbers: VersionNumbers): string {
  const { kind, cause, op, pairs } = origin;
  const name = showControls(op);
  const calls = pairs.length === 1 ? '' : `, ${countOf(pairs.length, 'call')}`;
  if (kind === 'only_a' || kind === 'only_b')
    return `${name} is called in ${kind === 'only_a' ? 'A' : 'B'} only${calls}`;
  const words = causeWords(kind, cause ?? undefined, numbers);
  switch (cause?.kind) {
    case 'object':
      return `${words}, which ${name} is given${calls}`;
    case 'output':
      return `${name} is given the same: ${words}${calls}`;
    default:
      return `${name}: ${words}${calls}`;
  }
}

/** An op that took far longer, or far less: `search: time 12 ms → 1.51 s`. */
export function timeWords({ op, pairs, a, b }: ShownTime): string {
  const times = pairs.length === 1 ? '' : ` × ${formatCount(pairs.length)}`;
  return `${showControls(op)}: time ${formatLatency(a)} → ${formatLatency(b)}${times}`;
}

function objectWords(objects: readonly ShownObject[], numbers: VersionNumbers): string {
  const [first] = objects;
  if (first === undefined) return 'object';
  const rest = objects.length > 1 ? ` and ${formatCount(objects.length - 1)} more` : '';
  const name = first.kind === 'table' ? 'table' : showControls(first.name);
  return `${name} ${versionWords(first, numbers)}${rest}`;
}

function endWords({ a, b }: Ends): string {
  if (a === b) return a === 'failed' ? 'another error' : 'only the output';
  if (b === 'failed') return 'fails in B';
  if (a === 'failed') return 'fails in A';
  return b === 'open' ? 'no end in B' : 'no end in A';
}

function placeWords(changes: readonly ShownChange[], count: number): string {
  const [first] = changes;
  const more = count > 1 ? ` and ${formatCount(count - 1)} more` : '';
  return first === undefined || first.path === '' ? 'input' : `input: ${showControls(first.path)}${more}`;
}

function settingWords(kind: 'model' | 'settings', changes: readonly ShownChange[], count: number): string {
  const [first] = changes;
  if (first === undefined) return kind;
  const more = count > 1 ? ` and ${formatCount(count - 1)} more` : '';
  const name = first.path.split('.').at(-1) ?? first.path;
  const label = kind === 'model' ? 'model' : showControls(name);
  return `${label} ${valueWords(first.a)} → ${valueWords(first.b)}${more}`;
}

function valueWords(value: string | undefined): string {
  return value === undefined ? 'none' : showControls(value);
}
