import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { isList, mapItems, mapMembers, type Translator } from '../../protocol/spelling/translator.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';

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
      const inner = hasTypeField(node) ? type : literal;
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

/** Is the field among these, or in the list that an `$in` has among them? */
function hasTypeField(nodes: readonly JsonValue[]): boolean {
  return nodes.some((node) => isTypeField(node) || (isList(node) && node.some(isTypeField)));
}

/** Is it the field, as it is or converted? No deeper: what was sent may nest without end. */
function isTypeField(node: JsonValue): boolean {
  if (!isJsonObject(node)) return false;
  const { $convert: conversion } = node;
  return isType(node) || (isJsonObject(conversion) && isType(conversion['input']));
}

function isType(node: JsonValue | undefined): boolean {
  return isJsonObject(node) && node['$getField'] === 'feedback_type';
}
