import type { JsonValue } from '../../protocol/canonical-json.ts';
import { isJsonObject, isList, mapItems, mapMembers, type Translator } from '../../protocol/translator.ts';

type Translate = (value: JsonValue) => JsonValue;

/**
 * Translates a query expression, well-formed or not: fields by their paths, literals as values of users, except that a
 * literal which is compared with `feedback_type` is such a type.
 */
export function queryTranslator(translator: Translator): Translate {
  const type: Translate = (value) => {
    if (isList(value)) return mapItems(value, type);
    return typeof value === 'string' ? translator.feedbackType(value) : translator.value(value);
  };
  const translate = (node: JsonValue, literal: Translate): JsonValue => {
    if (isList(node)) {
      const inner = node.some(isTypeField) ? type : literal;
      return mapItems(node, (item) => translate(item, inner));
    }
    if (!isJsonObject(node)) return node;
    const inner = Object.values(node).some(isTypeField) ? type : literal;
    return mapMembers(
      node,
      (name) => name,
      (member, name) => {
        if (name === '$literal') return inner(member);
        if (name === '$getField') return typeof member === 'string' ? translator.path(member) : member;
        return translate(member, inner);
      },
    );
  };
  return (expression) => translate(expression, translator.value);
}

function isTypeField(node: JsonValue): boolean {
  return isJsonObject(node) && node['$getField'] === 'feedback_type';
}
