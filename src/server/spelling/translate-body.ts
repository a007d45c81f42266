import type { TSchema } from '@sinclair/typebox';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { isList, mapItems, mapMembers, type Translator } from '../../protocol/spelling/translator.ts';
import { queryTranslator } from './translate-query.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';

export type Translate = (value: JsonValue) => JsonValue;

/** Members that are more than their schema says, by their keys, which mean the same wherever the protocol has them. */
export type Positions = Readonly<Record<string, Translate>>;

/** The keywords that tell where keys of the protocol are. */
interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

/**
 * Makes the translation of a body from the schemas it may have: keys are exchanged in the objects that a schema
 * describes and nowhere else. A body that fits no schema is translated as far as it fits.
 */
export function bodyTranslator(schemas: readonly TSchema[], translator: Translator, positions: Positions): Translate {
  // TypeBox types hide the keywords, which are plain JSON Schema.
  return compile(schemas as readonly Schema[], translator, positions);
}

/** The positions that requests and answers have in common. */
export function commonPositions(translator: Translator): Positions {
  const path: Translate = (value) => (typeof value === 'string' ? translator.path(value) : value);
  const paths: Translate = (value) => (isList(value) ? mapItems(value, path) : value);
  return {
    attributes: (value) => translator.namespaced(value),
    summary: (value) => translator.namespaced(value, computedTranslator(translator)),
    feedback_type: (value) => (typeof value === 'string' ? translator.feedbackType(value) : value),
    columns: paths,
    expand_columns: paths,
    fields: paths,
    field: path,
    $expr: queryTranslator(translator),
  };
}

/** A feedback record with the fields that were asked for as its keys. */
export function feedbackTranslator(translator: Translator): Translate {
  return (record) =>
    isJsonObject(record)
      ? mapMembers(record, translator.path, (member, name) =>
          name === 'feedback_type' && typeof member === 'string'
            ? translator.feedbackType(member)
            : translator.value(member),
        )
      : translator.value(record);
}

/** The members that the service adds to a summary; feedback among them are records. */
function computedTranslator(translator: Translator): Translate {
  const record = feedbackTranslator(translator);
  return (computed) =>
    isJsonObject(computed)
      ? mapMembers(
          computed,
          (name) => name,
          (member, name) =>
            name === 'feedback' && isList(member) ? mapItems(member, record) : translator.value(member),
        )
      : translator.value(computed);
}

function compile(schemas: readonly Schema[], translator: Translator, positions: Positions): Translate {
  const options = schemas.flatMap(alternatives);
  const inner = (members: readonly Schema[]): Translate => compile(members, translator, positions);
  const objects = options.map(({ properties }) => properties).filter((properties) => properties !== undefined);
  if (objects.length > 0) return objectTranslator(objects, inner, translator, positions);
  const items = options.flatMap((option) => option.items ?? []);
  if (items.length > 0) return listTranslator(inner(items), translator);
  const members = options.flatMap(({ patternProperties = {} }) => Object.values(patternProperties));
  const described = members.filter(({ type }) => type !== undefined);
  return described.length > 0 ? dictionaryTranslator(inner(described), translator) : translator.value;
}

function alternatives(schema: Schema): readonly Schema[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema];
}

/** Of several objects that a value may be, the members are taken together: a key means the same in all of them. */
function objectTranslator(
  objects: readonly Readonly<Record<string, Schema>>[],
  inner: (members: readonly Schema[]) => Translate,
  translator: Translator,
  positions: Positions,
): Translate {
  const names = new Set(objects.flatMap(Object.keys));
  const both = [...names].flatMap((name) => {
    const translate = positions[name] ?? inner(objects.flatMap((object) => object[name] ?? []));
    // The member comes under either of its names.
    return [[name, translate] as const, [translator.key(name), translate] as const];
  });
  const members = new Map(both);
  return (value) => {
    if (!isJsonObject(value)) return translator.value(value);
    return mapMembers(value, translator.key, (member, name) => (members.get(name) ?? translator.value)(member));
  };
}

function listTranslator(item: Translate, translator: Translator): Translate {
  return (value) => (isList(value) ? mapItems(value, item) : translator.value(value));
}

/** Keys that are not the protocol's, with members that are: prices by the name of their model. */
function dictionaryTranslator(member: Translate, translator: Translator): Translate {
  return (value) => (isJsonObject(value) ? mapMembers(value, translator.text, member) : translator.value(value));
}
