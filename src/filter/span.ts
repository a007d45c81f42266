import type { Span } from './tree.ts';

/** From the beginning of one piece to the end of another. */
export function between(from: Span, to: Span): Span {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}

export function endOf({ offset, length }: Span): number {
  return offset + length;
}
