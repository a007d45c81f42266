import { withoutTerm } from '../../../filter/edit-terms.ts';
import { parseFilter } from '../../../filter/parse-filter.ts';
import { endOf } from '../../../filter/span.ts';
import type { FilterError, Span } from '../../../filter/tree.ts';
import { type FilterPiece, piecesOf } from './filter-pieces.ts';

/** A piece of a filter that makes no sense. */
export interface FilterFault {
  readonly piece: FilterPiece;
  readonly message: string;
  /** The filter without it. */
  readonly without: string;
}

/** The pieces that keep a filter from being read, each once: whole terms, and signs that stand between terms. */
export function faultsOf(text: string): readonly FilterFault[] {
  const read = parseFilter(text);
  if (!Array.isArray(read)) return [];
  const terms = piecesOf(text).filter(isTerm);
  const faults = read.map((error) => faultOf(text, error, terms));
  return faults.filter(({ piece }, index) => faults.findIndex((each) => each.piece.offset === piece.offset) === index);
}

export function isTerm({ fieldEnd }: FilterPiece): boolean {
  return fieldEnd !== undefined;
}

function faultOf(text: string, error: FilterError, terms: readonly FilterPiece[]): FilterFault {
  const { message, offset } = error;
  const number = terms.findIndex((term) => isWithin(term, offset));
  const piece = terms[number];
  if (piece !== undefined) return { piece, message, without: withoutTerm(text, number) };
  const sign = { text: text.slice(offset, endOf(error)), offset };
  return { piece: sign, message, without: withoutSpan(text, error) };
}

function isWithin(piece: FilterPiece, offset: number): boolean {
  return offset >= piece.offset && offset < piece.offset + piece.text.length;
}

function withoutSpan(text: string, span: Span): string {
  return `${text.slice(0, span.offset).trimEnd()} ${text.slice(endOf(span)).trimStart()}`.trim();
}
