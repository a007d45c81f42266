import { endOf } from '../../../filter/span.ts';
import { type FilterToken, tokensOf } from '../../../filter/tokens-of.ts';

/** A piece of a filter as it is drawn: a term, or what stands between terms. */
export interface FilterPiece {
  readonly text: string;
  /** Of a term: where its field ends, `0` for words. */
  readonly fieldEnd?: number;
  readonly isNot?: boolean;
  readonly offset: number;
}

/** The filter in pieces: a chip for each term with the dash before it. Together they are the whole text. */
export function piecesOf(text: string): readonly FilterPiece[] {
  const pieces: FilterPiece[] = [];
  let end = 0;
  for (const [from, to, fieldEnd] of termsOf(text)) {
    if (from > end) pieces.push({ text: text.slice(end, from), offset: end });
    const piece = text.slice(from, to);
    pieces.push({ text: piece, fieldEnd: Math.max(0, fieldEnd - from), isNot: piece.startsWith('-'), offset: from });
    end = to;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), offset: end });
  return pieces;
}

function termsOf(text: string): (readonly [number, number, number])[] {
  const tokens = tokensOf(text);
  const terms = new Map<number, FilterToken[]>();
  for (const token of tokens)
    if (token.term !== undefined) terms.set(token.term, [...(terms.get(token.term) ?? []), token]);
  return [...terms.values()].map((own) => {
    const first = own[0]?.span ?? { offset: 0, length: 0 };
    const isDashed =
      text[first.offset - 1] === '-' && tokens.some((t) => t.kind === 'not' && endOf(t.span) === first.offset);
    const operator = own.find(({ kind }) => kind === 'operator');
    const last = own.at(-1)?.span ?? first;
    return [isDashed ? first.offset - 1 : first.offset, endOf(last), operator ? endOf(operator.span) : 0];
  });
}
