import { endOf } from '../../../filter/span.ts';
import { tokensOf } from '../../../filter/tokens-of.ts';

/**
 * A filter without the term at the caret, whose value is still to be written, if `value` is of the time when its field was
 * a word or the beginning of one: a pause in `op` before `op:` has searched for that. Otherwise `undefined`.
 */
export function withoutHalfTerm(text: string, caret: number, value: string): string | undefined {
  const tokens = tokensOf(text);
  const { term } = tokens.findLast(({ span }) => span.offset < caret && caret <= endOf(span)) ?? {};
  const own = tokens.filter((token) => term !== undefined && token.term === term);
  const field = own.find(({ kind }) => kind === 'field');
  const operator = own.find(({ kind }) => kind === 'operator');
  if (field === undefined || operator === undefined) return undefined;
  const [before, after] = [text.slice(0, field.span.offset), text.slice(endOf(own.at(-1)?.span ?? operator.span))];
  const name = text.slice(field.span.offset, endOf(field.span));
  const wasWord = Array.from(name, (_, index) => name.slice(0, index + 1)).some(
    (word) => (before + word + after).trim() === value,
  );
  return wasWord ? (before.replace(/-$/, '') + after).trim() : undefined;
}
