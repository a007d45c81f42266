import type { Cause, Ends, VersionChange } from '../../../reader/compare/cause.ts';
import type { ComparedCall, Origin, TimeChange } from '../../../reader/compare/comparison.ts';
import { changeText, pathText } from './change-text.ts';
import { formatCount, formatDuration } from '../numbers.ts';
import { toLine } from '../plain-text.ts';

const MAX_NAME_LENGTH = 60;
const MAX_PATHS = 3;
const DIGEST_LENGTH = 8;

/** The number of a version as people count it; `undefined` where the service does not know it. */
export type IndexOf = (name: string, digest: string) => number | undefined;

/** A difference that no other is the reason of, as in `code of plan: v7 → v8`. */
export function originText({ kind, cause, op, calls }: Origin, indexOf: IndexOf): string {
  const name = toLine(op, MAX_NAME_LENGTH);
  const count = calls.length === 1 ? '' : ` (${formatCount(calls.length)} calls)`;
  if (kind === 'only_a' || kind === 'only_b') return `${name} is called in ${sideOf(kind)} only${count}`;
  return cause === null ? name : `${causeSentence(cause, name, indexOf)}${count}`;
}

/** An op that took far longer, or far less, as in `time of search, without what it calls: 12 ms → 1.51 s`. */
export function timeText({ op, calls, a, b }: TimeChange): string {
  const [from, to] = [a, b].map((ms) => formatDuration(ms * 1000));
  const count = calls.length === 1 ? '' : ` (${formatCount(calls.length)} calls)`;
  return `time of ${toLine(op, MAX_NAME_LENGTH)}, without what it calls: ${from} → ${to}${count}`;
}

function causeSentence(cause: Cause, op: string, indexOf: IndexOf): string {
  switch (cause.kind) {
    case 'code':
      return `code of ${versionText(cause.version, indexOf)}`;
    case 'object':
      return `${objectTexts(cause, indexOf).join(', ')}, which ${op} is given`;
    case 'input':
      return `input of ${op}: ${few(cause.changes.map(({ path }) => pathText(path)))}`;
    case 'model':
    case 'settings':
      return `${cause.kind} of ${op}: ${few(cause.changes.map(changeText))}`;
    case 'output':
      return outputSentence(cause.ends, op);
  }
}

function outputSentence(ends: Ends, op: string): string {
  if (ends.a === 'returned' && ends.b === 'returned') return `output of ${op}, which is given the same`;
  if (ends.a === ends.b) return `error of ${op}, which is given the same`;
  return `${op}, which is given the same, ${endText(ends)}`;
}

/** The cause in a row of a tree, as in `code v7 → v8`. */
export function causeText({ a, b, cause, isCut }: ComparedCall, indexOf: IndexOf): string {
  if (a === null) return 'only in B';
  if (b === null) return 'only in A';
  if (cause === null) return isCut ? 'alike as far as recorded' : '';
  switch (cause.kind) {
    case 'code':
      return `code ${versions(cause.version, indexOf)}`;
    case 'object':
      return objectTexts(cause, indexOf).join(', ');
    case 'output':
      if (cause.ends.a !== cause.ends.b) return endText(cause.ends);
      return cause.ends.a === 'failed' ? 'error' : 'output';
    default:
      return cause.kind;
  }
}

function endText({ a, b }: Ends): string {
  if (b === 'failed') return 'fails in B';
  if (a === 'failed') return 'fails in A';
  return b === 'open' ? 'has no end in B' : 'has no end in A';
}

function objectTexts({ objects }: Cause & { readonly kind: 'object' }, indexOf: IndexOf): string[] {
  return [...new Set(objects.map((change) => `${change.kind} ${versionText(change, indexOf)}`))];
}

function versionText(change: VersionChange, indexOf: IndexOf): string {
  const name = toLine(change.name, MAX_NAME_LENGTH);
  return `${name === '' ? '' : `${name}: `}${versions(change, indexOf)}`;
}

function versions({ name, a, b }: VersionChange, indexOf: IndexOf): string {
  const [from, to] = [indexOf(name, a), indexOf(name, b)];
  // Versions of two projects are counted each by its own.
  if (from === undefined || to === undefined || from === to) return `${short(a)} → ${short(b)}`;
  return `v${formatCount(from)} → v${formatCount(to)}`;
}

function short(digest: string): string {
  return toLine(digest, DIGEST_LENGTH);
}

function few(texts: readonly string[]): string {
  const rest = texts.length - MAX_PATHS;
  return `${texts.slice(0, MAX_PATHS).join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}

function sideOf(kind: 'only_a' | 'only_b'): string {
  return kind === 'only_a' ? 'A' : 'B';
}
