import { definitionOf, FILTER_FIELDS, findField, type NamedField } from './fields.ts';
import { endOf } from './span.ts';
import { type FilterToken, tokensOf } from './tokens-of.ts';
import type { Span } from './tree.ts';

/** A piece that is being written at a place of a filter. */
export type Completion =
  /** A field, or words. `field` says that it is one already, which longer names or paths begin with. */
  | { readonly kind: 'field'; readonly field?: NamedField; readonly prefix: string; readonly span: Span }
  /** An operator, which stands between a field and its value. */
  | { readonly kind: 'operator'; readonly field: NamedField; readonly prefix: string; readonly span: Span }
  /** A value of a field: `printValue` writes one for the span. */
  | { readonly kind: 'value'; readonly field: NamedField; readonly prefix: string; readonly span: Span };

/**
 * The completion at a place: of which the beginning is there already (`prefix`), and what a suggestion replaces
 * (`span`). `undefined` in quoted words, and where no suggestion makes sense.
 */
export function completionAt(text: string, caret: number): Completion | undefined {
  const tokens = tokensOf(text);
  const token = tokens.findLast(
    ({ kind, span }) => isAt(span, caret) && !(kind === 'operator' && span.offset === caret),
  );
  switch (token?.kind) {
    case undefined:
      return nothingYet(caret);
    case 'words':
    case 'field':
    case 'and':
    case 'or':
      return token.quotes === undefined || token.quotes === 'none' ? wordAt(text, token, caret) : undefined;
    case 'operator':
      return operatorAt(tokens, token);
    case 'value':
      return valueAt(text, tokens, token, caret);
    default:
      return caret === endOf(token?.span ?? { offset: caret, length: 0 }) ? nothingYet(caret) : undefined;
  }
}

function isAt(span: Span, caret: number): boolean {
  return span.offset <= caret && caret <= endOf(span);
}

function nothingYet(caret: number): Completion {
  return { kind: 'field', prefix: '', span: { offset: caret, length: 0 } };
}

function wordAt(text: string, { span }: FilterToken, caret: number): Completion {
  const prefix = text.slice(span.offset, caret);
  const field = findField(prefix);
  if (field === undefined) return { kind: 'field', prefix, span };
  const isOpen = FILTER_FIELDS.some(({ name }) => name !== field.field && name.startsWith(field.field));
  if (isOpen || definitionOf(field.field).path !== undefined) return { kind: 'field', field, prefix, span };
  return { kind: 'operator', field, prefix: '', span: { offset: caret, length: 0 } };
}

function operatorAt(tokens: readonly FilterToken[], { text, span, term }: FilterToken): Completion | undefined {
  const field = fieldOf(tokens, term);
  return field && { kind: 'operator', field, prefix: text, span };
}

/** The part before the caret, without the quote that it begins with. */
function valueAt(
  text: string,
  tokens: readonly FilterToken[],
  { span, term, quotes }: FilterToken,
  caret: number,
): Completion | undefined {
  const field = fieldOf(tokens, term);
  const written = text.slice(span.offset, caret);
  const prefix = quotes === 'none' ? written : written.replace(/^"/, '').replaceAll(/\\(["\\])/g, '$1');
  return field && { kind: 'value', field, prefix, span };
}

function fieldOf(tokens: readonly FilterToken[], term: number | undefined): NamedField | undefined {
  const name = tokens.find((token) => token.kind === 'field' && token.term === term);
  return name && findField(name.text);
}
