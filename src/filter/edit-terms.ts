import { parseFilter } from './parse-filter.ts';
import { printFilter } from './print-filter.ts';
import { endOf } from './span.ts';
import { type FilterToken, tokensOf } from './tokens-of.ts';

/** The filter that asks for a further term, as a click on a value does; one that asks for it already stays as it is. */
export function withTerm(text: string, term: string): string {
  const own = text.trim();
  if (own === '') return term;
  if (partsOf(own).includes(canonical(term))) return own;
  return hasOuterOr(own) ? `(${own}) ${term}` : `${own} ${term}`;
}

/** The filter without the term of that number, as `tokensOf` counts them, and without what joined nothing else. */
export function withoutTerm(text: string, index: number): string {
  const kept = tokensOf(text).filter(({ term }) => term !== index);
  return joinedText(text, withoutRemains(kept));
}

function partsOf(text: string): string[] {
  const tree = parseFilter(text);
  if (Array.isArray(tree)) return [];
  return (tree.kind === 'and' ? tree.parts : [tree]).map(printFilter);
}

function canonical(term: string): string {
  const tree = parseFilter(term);
  return Array.isArray(tree) ? term : printFilter(tree);
}

function hasOuterOr(text: string): boolean {
  let depth = 0;
  for (const { kind } of tokensOf(text)) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    if (kind === 'or' && depth === 0) return true;
  }
  return false;
}

const JOINTS: readonly string[] = ['and', 'or'];

/** Takes away joints without a side and empty parentheses, again and again: one may leave another behind. */
function withoutRemains(tokens: readonly FilterToken[]): readonly FilterToken[] {
  const at = tokens.findIndex((token, index) => isRemains(token, tokens[index - 1]?.kind, tokens[index + 1]));
  if (at < 0) return tokens;
  const length = tokens[at]?.kind === 'open' ? 2 : 1;
  return withoutRemains([...tokens.slice(0, at), ...tokens.slice(at + length)]);
}

type Kind = FilterToken['kind'] | undefined;

function isRemains({ kind, span }: FilterToken, before: Kind, after: FilterToken | undefined): boolean {
  if (kind === 'open') return after?.kind === 'close';
  // What a dash stands for begins right after it.
  if (kind === 'not') return after?.span.offset !== endOf(span);
  if (!JOINTS.includes(kind)) return false;
  return before === undefined || before === 'open' || after === undefined || [...JOINTS, 'close'].includes(after.kind);
}

/** As they were written, with a blank wherever there was one, but inside of parentheses. */
function joinedText(text: string, tokens: readonly FilterToken[]): string {
  const pieces = tokens.map((token, index) => {
    const previous = tokens[index - 1];
    const own = text.slice(token.span.offset, endOf(token.span));
    return previous !== undefined && isApart(text, previous, token) ? ` ${own}` : own;
  });
  return pieces.join('');
}

function isApart(text: string, previous: FilterToken, next: FilterToken): boolean {
  if (previous.kind === 'open' || next.kind === 'close') return false;
  return /\s/.test(text.slice(endOf(previous.span), next.span.offset));
}
