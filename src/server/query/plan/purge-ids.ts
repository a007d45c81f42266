import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { QueryObject } from '../../../protocol/query.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';

/** The ids a purge names: `$eq` of `id` and a text, `$or` of such, or `$in` of `id` and texts; all else is refused. */
export function purgeIds({ $expr: expression }: QueryObject, limits: Limits): string[] {
  const [operator, argument] = onlyEntry(expression);
  const ids = idsOf(operator, argument);
  if (ids.length > limits.in_items) {
    throw new TracingError('too_many_items', `Cannot purge ${ids.length} records: want at most ${limits.in_items}`);
  }
  return ids;
}

function idsOf(operator: string, argument: unknown): string[] {
  const parts = Array.isArray(argument) ? (argument as readonly unknown[]) : [];
  switch (operator) {
    case '$eq':
      return [idOfEquality(parts)];
    case '$or':
      if (parts.length === 0) throw refusal();
      return parts.map((part) => {
        const [inner, operands] = onlyEntry(part);
        if (inner !== '$eq' || !Array.isArray(operands)) throw refusal();
        return idOfEquality(operands);
      });
    case '$in': {
      const [field, items] = parts;
      if (parts.length !== 2 || !isIdField(field) || !Array.isArray(items)) throw refusal();
      return items.map(textLiteral);
    }
    default:
      throw refusal();
  }
}

function idOfEquality(operands: readonly unknown[]): string {
  if (operands.length !== 2 || !isIdField(operands[0])) throw refusal();
  return textLiteral(operands[1]);
}

function isIdField(operand: unknown): boolean {
  const [operator, path] = onlyEntry(operand);
  return operator === '$getField' && path === 'id';
}

function textLiteral(operand: unknown): string {
  const [operator, value] = onlyEntry(operand);
  if (operator === '$literal' && typeof value === 'string') return value;
  throw refusal();
}

function onlyEntry(node: unknown): [string, unknown] {
  const entries = isJsonObject(node) ? Object.entries(node) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) throw refusal();
  return entry;
}

function refusal(): TracingError {
  return new TracingError('invalid_request', 'Cannot purge: the query must compare id with texts, by $eq, $or or $in');
}
