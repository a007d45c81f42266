/** The part that was left out: the end of a text, at recording or by the service; items; a list, an object, a value, a field as a whole. */
export type CutKind = 'text' | 'service' | 'items' | 'list' | 'object' | 'circular' | 'unreadable' | 'value' | 'field';

/** The mark in a text in the place of what recording, or the service, left out. */
export interface CutMark {
  readonly kind: CutKind;
  /** Characters in front of it, which were kept. */
  readonly kept: number;
  /** The numbers that it names. */
  readonly counts: readonly string[];
}

/** Behind a text that was kept in part. */
const ENDS: readonly (readonly [CutKind, RegExp])[] = [
  ['text', / …\[cut: (\d+) characters\]$/],
  ['service', / …\[truncated\]$/],
];

/** In the place of a value. */
const WHOLE: readonly (readonly [CutKind, RegExp])[] = [
  ['items', /^…\[(\d+) more of (\d+) items\]$/],
  ['list', /^\[Array: (\d+) items\]$/],
  ['object', /^\[Object: (\d+) keys\]$/],
  ['circular', /^\[Circular\]$/],
  ['unreadable', /^\[Unreadable\]$/],
  ['value', /^\[cut\]$/],
  ['field', /^<EXCEEDS_LIMITS>$/],
];

/** Marks are shorter. */
const MAX_MARK_LENGTH = 200;

/** The mark at the end of a text, or the text that is one. */
export function cutMarkIn(text: string): CutMark | undefined {
  if (!text.endsWith(']') && !text.endsWith('>')) return undefined;
  const tail = text.slice(-MAX_MARK_LENGTH);
  const patterns = tail.length === text.length ? [...ENDS, ...WHOLE] : ENDS;
  for (const [kind, pattern] of patterns) {
    const match = pattern.exec(tail);
    if (match !== null) return { kind, kept: text.length - tail.length + match.index, counts: match.slice(1) };
  }
  return undefined;
}
