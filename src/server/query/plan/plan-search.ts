import type { AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';
import { containsText, containsToken, isToken } from '../../../storage/values/text-search.ts';
import { textOfValue } from '../../../storage/values/value.ts';
import type { BindingNames } from './bind-values.ts';
import { planBesideFeedback } from './plan-feedback.ts';
import { type Location, refused } from './query-error.ts';

type Search = 'contains' | 'containsToken';

interface SearchOptions {
  readonly isCaseSensitive: boolean;
  readonly loc: Location;
  readonly names: BindingNames;
}

/** A search whose two sides are not both constant; a written token must be one. */
export function planSearch(
  kind: Search,
  input: AnyOperand,
  substr: AnyOperand,
  { isCaseSensitive, loc, names }: SearchOptions,
): AnyCondition {
  const token = substr.kind === 'literal' ? textOfValue(substr.value) : undefined;
  if (kind === 'containsToken' && typeof token === 'string' && !isToken(token)) {
    throw refused(loc, `"${token.slice(0, 100)}" is not one run of letters and digits`);
  }
  if (isNullLiteral(input) || isNullLiteral(substr)) return { kind: 'constant', value: null };
  if (input.kind !== 'literal' || substr.kind !== 'literal') {
    return planBesideFeedback([input, substr], names, ([text = input, part = substr]) => {
      return { kind, input: text, substr: part, isCaseSensitive };
    });
  }
  const find = kind === 'contains' ? containsText : containsToken;
  const value = find(textOfValue(input.value) ?? '', token ?? '', { isCaseSensitive });
  return { kind: 'constant', value };
}

function isNullLiteral(operand: AnyOperand): boolean {
  return operand.kind === 'literal' && operand.value === null;
}
