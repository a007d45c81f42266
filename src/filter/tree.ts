import type { NamedField } from './fields.ts';

/** A piece of the text of a filter, in UTF-16 units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

export type FilterValue =
  | { readonly kind: 'text'; readonly text: string; readonly span: Span }
  /** `answer*` */
  | { readonly kind: 'beginning'; readonly text: string; readonly span: Span }
  /** `*refund*` */
  | { readonly kind: 'part'; readonly text: string; readonly span: Span }
  /** A number, also of tokens and dollars. */
  | { readonly kind: 'number'; readonly number: number; readonly span: Span }
  /** `2s`; of a start, so long ago. */
  | { readonly kind: 'duration'; readonly ms: number; readonly span: Span }
  /** A whole day, minute or second, or an instant with a fraction; local unless it tells its offset. */
  | { readonly kind: 'time'; readonly text: string; readonly span: Span }
  | { readonly kind: 'field'; readonly named: NamedField; readonly span: Span };

export type Order = '>' | '>=' | '<' | '<=';

/** A test of a field. */
export type FieldTest =
  /** It is one of them. */
  | { readonly kind: 'is'; readonly values: readonly FilterValue[] }
  | { readonly kind: 'order'; readonly order: Order; readonly value: FilterValue }
  /** Both ends belong to it, but for times of day: there the second does not. */
  | { readonly kind: 'range'; readonly from: FilterValue; readonly to: FilterValue };

/** Text anywhere in the inputs or the output. */
export interface WordsNode {
  readonly kind: 'words';
  readonly text: string;
  readonly span: Span;
}

export interface FieldNode extends NamedField {
  readonly kind: 'field';
  readonly test: FieldTest;
  readonly span: Span;
}

/** A filter that was read. No parts of an `and` are `and` themselves, nor those of an `or`; an `and` of none is everything. */
export type FilterTree =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly FilterTree[]; readonly span: Span }
  | { readonly kind: 'not'; readonly part: FilterTree; readonly span: Span }
  | WordsNode
  | FieldNode;

/** A mistake in a filter, and its place. */
export interface FilterError extends Span {
  /** A sentence that says what is wrong, and what to write instead where that is known. */
  readonly message: string;
  /** A few words for what could stand there. */
  readonly expected: string;
  /** The text to put in the place of the piece. */
  readonly suggestion?: string;
}

export const FILTER_LIMITS = {
  /** UTF-16 units of a filter. */
  characters: 10_000,
  /** Words and values together. */
  terms: 150,
  /** Values of feedback: a service looks at feedback a hundred times at most, and a value may take eight looks. */
  feedback: 10,
  /** Parentheses inside of parentheses. */
  depth: 15,
} as const;
