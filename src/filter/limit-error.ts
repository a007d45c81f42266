import { problem } from './problem.ts';
import type { FilterToken } from './tokens-of.ts';
import { FILTER_LIMITS, type FilterError } from './tree.ts';

/** The error of a filter that has too much: a service reads queries up to a size only. */
export function limitError(tokens: readonly FilterToken[]): FilterError | undefined {
  const { terms, depth } = FILTER_LIMITS;
  const excess = tokens.filter(({ kind }) => kind === 'words' || kind === 'value')[terms];
  if (excess !== undefined) {
    return problem(excess.span, 'The filter has too many words and values', { expected: `at most ${terms}` });
  }
  return depthError(tokens, depth) ?? feedbackError(tokens);
}

/** Looked at before anything else: a long text takes long to be cut into tokens. */
export function lengthError({ length }: string): FilterError | undefined {
  const { characters } = FILTER_LIMITS;
  if (length <= characters) return undefined;
  const rest = { offset: characters, length: length - characters };
  return problem(rest, 'The filter is too long', { expected: `at most ${characters} characters` });
}

function depthError(tokens: readonly FilterToken[], max: number): FilterError | undefined {
  let depth = 0;
  for (const { kind, span } of tokens) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth = Math.max(0, depth - 1);
    if (depth > max)
      return problem(span, 'Too many parentheses stand inside of others', { expected: `at most ${max}` });
  }
  return undefined;
}

function feedbackError(tokens: readonly FilterToken[]): FilterError | undefined {
  const { feedback: max } = FILTER_LIMITS;
  const isFeedback = (text: string) => /^feedback(\.|$)/i.test(text);
  const terms = new Set(
    tokens.filter(({ kind, text }) => kind === 'field' && isFeedback(text)).map(({ term }) => term),
  );
  const values = tokens.filter(({ kind, term, text }) => kind === 'value' && (terms.has(term) || isFeedback(text)));
  const excess = values[max];
  return excess && problem(excess.span, 'The filter asks for too much feedback', { expected: `at most ${max} values` });
}
