import type { TSchema } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDateTime } from '../../../src/protocol/values/date-time.ts';
import { TracingError } from '../../../src/protocol/error.ts';
import { parseJson } from '../../../src/protocol/values/json.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { DOCUMENTED, type DocumentedName } from '../../../src/server/openapi/documented.ts';
import type { JsonSchema } from '../../../src/server/openapi/json-schema.ts';
import { parseExpression } from '../../../src/server/query/plan/parse-expression.ts';
import { compileRequest } from '../../../src/server/http/body/request-schema.ts';
import { checkRequestBody, DOCUMENT } from '../published-schemas.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const POSTS = (Object.keys(DOCUMENTED) as DocumentedName[]).filter((name) => DOCUMENTED[name].method === 'POST');

/**
 * The document with the one thing put in that it says in words: where no other keys are allowed, those that hold
 * null or false are ignored.
 */
const lenient = new Ajv2020({ strict: false });
lenient.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined);
lenient.addFormat('double-int', { type: 'number', validate: Number.isSafeInteger });
lenient.addSchema({
  $id: 'lenient',
  ...(JSON.parse(JSON.stringify(DOCUMENT), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? { enum: [null, false] } : value,
  ) as object),
});

function componentName(name: DocumentedName): string {
  const { path } = DOCUMENTED[name];
  const schema = DOCUMENT.paths[path]?.post?.requestBody?.content['application/json']?.schema;
  return (schema?.$ref ?? '').slice('#/components/schemas/'.length);
}

function fits(name: DocumentedName, body: Json): boolean {
  const validate = lenient.getSchema(`lenient#/components/schemas/${componentName(name)}`);
  if (!validate) throw new Error(`The document has no request of ${name}`);
  return validate(body) === true;
}

const checks = new Map(POSTS.map((name) => [name, compileRequest(DOCUMENTED[name].request as TSchema)]));

function isTaken(name: DocumentedName, body: Json): boolean {
  try {
    checks.get(name)?.(parseJson(JSON.stringify(body)));
    return true;
  } catch (error) {
    if (error instanceof TracingError && error.code === 'validation_error') return false;
    throw error;
  }
}

/** Values of every type, and some that look like another. */
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  5,
  1.5,
  1e300,
  2 ** 53,
  '',
  'x',
  '5',
  '1.5',
  'true',
  'asc',
  'start',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  [],
  {},
  ['x'],
  [null],
  [[1]],
  { a: 1 },
  { mode: 'start' },
];

const anything: fc.Arbitrary<Json> = fc.constantFrom(...VALUES);

/** Bodies that keep to the schema, with members left out that may be. */
function bodiesOf(schema: JsonSchema): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/components/schemas/'.length);
    if (name === 'Expression') return fc.constant<Json>({ $literal: true });
    return bodiesOf(DOCUMENT.components.schemas[name] ?? {});
  }
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return fc.oneof(...options.map(bodiesOf));
  if (schema.const !== undefined) return fc.constant(schema.const as Json);
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? anything : fc.oneof(...types.map((type) => valuesOf(type, schema)));
}

function valuesOf(type: string, schema: JsonSchema): fc.Arbitrary<Json> {
  switch (type) {
    case 'string':
      return schema.format === 'date-time' ? fc.constant<Json>('2026-01-01T00:00:00') : fc.string({ maxLength: 3 });
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return schema.items ? fc.array(bodiesOf(schema.items), { maxLength: 2 }) : fc.constant<Json>([]);
    case 'object':
      return objectsOf(schema);
    default:
      return fc.constant(null);
  }
}

function objectsOf({ properties, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<Json> {
  if (!properties) {
    const members = typeof additionalProperties === 'object' ? bodiesOf(additionalProperties) : anything;
    return fc.dictionary(fc.string({ maxLength: 3 }), members, { maxKeys: 2, noNullPrototype: true });
  }
  const fields = Object.entries(properties).map(([key, field]) => [key, bodiesOf(field)]);
  // The entries are those of the record; `fromEntries` forgets the types.
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<Json>>, {
    requiredKeys: [...required],
    noNullPrototype: true,
  });
}

/** A body with every field that a schema has; of what may have several shapes, the one at `choice`. */
function fullBody(schema: JsonSchema, choice: number): Json {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice('#/components/schemas/'.length);
    return name === 'Expression' ? { $literal: true } : fullBody(DOCUMENT.components.schemas[name] ?? {}, choice);
  }
  const options = schema.oneOf ?? schema.anyOf;
  // Null is the last of two shapes.
  if (options) return fullBody(options[schema.oneOf ? choice % options.length : 0] ?? {}, choice);
  const [type] = [schema.type ?? []].flat();
  if (schema.const !== undefined || schema.enum) return (schema.const ?? schema.enum?.[0] ?? null) as Json;
  if (schema.items) return [fullBody(schema.items, choice)];
  if (schema.properties) {
    const members = Object.entries(schema.properties).map(([key, field]) => [key, fullBody(field, choice)]);
    return Object.fromEntries(members) as Json;
  }
  if (type === 'object') {
    const { additionalProperties: member } = schema;
    return typeof member === 'object' ? { key: fullBody(member, choice) } : { key: 1 };
  }
  const samples = { string: schema.format === 'date-time' ? '2026-01-01T00:00:00' : 'x', integer: 1, number: 1.5 };
  return type === undefined ? 'any' : (({ ...samples, boolean: true } as Record<string, Json>)[type] ?? null);
}

/** A change at one place: `at` chooses it among all, but not inside of expressions, which have a reader of their own. */
interface Change {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'add';
  readonly value: Json;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'add'),
  value: anything,
});

function changed(body: Json, { at, kind, value }: Change): Json {
  const root: Holder = { body: structuredClone(body) };
  const places = placesIn(root);
  const [holder, key] = places[at % places.length] ?? [root, 'body'];
  if (kind === 'replace') holder[key] = value;
  else if (kind === 'remove' && holder !== root) delete holder[key];
  else if (!Array.isArray(holder) && holder !== root) holder['unknown'] = value;
  // Removed items leave holes, which JSON has as null.
  return JSON.parse(JSON.stringify(root['body'] ?? null)) as Json;
}

type Holder = Record<string, Json>;

function placesIn(value: Json): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return [];
  // An array is a holder with number keys, which its type does not say.
  const holder = value as Holder;
  const keys = Object.keys(holder).filter((key) => key !== '$expr');
  return keys.flatMap((key) => [[holder, key], ...placesIn(holder[key] ?? null)]);
}

describe('what the document says of a body is what the service says', () => {
  test.each(POSTS)('%s, whatever stands in the place of any field', (name) => {
    const schema = DOCUMENT.components.schemas[componentName(name)] ?? {};
    const differences: string[] = [];
    for (const full of [fullBody(schema, 0), fullBody(schema, 1)]) {
      expect([fits(name, full), isTaken(name, full)]).toEqual([true, true]);
      const places = placesIn({ body: full }).length;
      for (let at = 0; at < places; at++) {
        const changes = VALUES.flatMap((value) => [
          { at, kind: 'replace', value } as const,
          { at, kind: 'add', value } as const,
        ]);
        for (const one of [...changes, { at, kind: 'remove', value: null } as const]) {
          const body = changed(full, one);
          if (fits(name, body) !== isTaken(name, body)) differences.push(JSON.stringify(body));
        }
      }
    }
    expect(differences).toEqual([]);
  });

  test.each(POSTS)('%s, generated', (name) => {
    const schema = DOCUMENT.components.schemas[componentName(name)] ?? {};
    const verdicts = { true: 0, false: 0 };
    const property = fc.property(bodiesOf(schema), fc.array(change, { maxLength: 2 }), (valid, changes) => {
      const body = changes.reduce(changed, valid);
      const verdict = fits(name, body);
      verdicts[`${verdict}`] += 1;
      expect(isTaken(name, body)).toBe(verdict);
    });
    fc.assert(property, { numRuns: 50 });
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(0);
  });

  test('where they differ the document says so', () => {
    const body = { refs: [], unknown: null };
    expect(checkRequestBody('/components/schemas/RefsReadBatchRequest', body)).toHaveLength(1);
    expect(isTaken('refsReadBatch', body)).toBe(true);
    expect(DOCUMENT.info.description).toContain('an unknown one that holds `null` or `false` is ignored');
  });
});

describe('what the document says of an expression is what the planner says', () => {
  const operands = fc.letrec<{ node: Json; leaf: Json }>((tie) => ({
    leaf: fc.oneof(
      fc.constantFrom<Json>({ $getField: 'op_name' }, { $literal: null }, { $literal: 'x' }, { $literal: 1 }),
      fc.constantFrom<Json>({ $getField: 1 }, {}, [], null, 'x', { $ne: [] }, { $literal: 1, $getField: 'id' }),
    ),
    node: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      tie('leaf'),
      fc
        .tuple(
          fc.constantFrom('$and', '$or', '$not', '$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in'),
          fc.array(tie('node'), { maxLength: 3 }),
        )
        .map(([operator, parts]) => ({ [operator]: parts })),
      fc.tuple(tie('node'), fc.array(tie('node'), { maxLength: 2 })).map(([input, items]) => ({ $in: [input, items] })),
      fc
        .record(
          { input: tie('node'), substr: tie('node'), case_insensitive: anything, unknown: anything },
          { requiredKeys: ['input'], noNullPrototype: true },
        )
        .chain((search) => fc.constantFrom<Json>({ $contains: search }, { $containsToken: search })),
      fc
        .record(
          { input: tie('node'), to: fc.constantFrom('int', 'double', 'string', 'bool', 'exists', 'date') },
          { noNullPrototype: true },
        )
        .map((conversion) => ({ $convert: conversion })),
    ),
  }));

  function shapeErrorOf(expression: Json): string | undefined {
    try {
      parseExpression(expression, () => ({ kind: 'text', column: 'op_name' }), DEFAULT_LIMITS);
      return undefined;
    } catch (error) {
      if (!(error instanceof TracingError)) throw error;
      // An empty junction is a 400, but the schema can say it; other rules of that kind look at values.
      return error.code === 'validation_error' || /at least one part/.test(error.message) ? error.message : undefined;
    }
  }

  test('of every operator, whatever stands as its argument', () => {
    const operators = DOCUMENT.components.schemas['Expression']?.oneOf?.map(({ title = '' }) => title) ?? [];
    expect(operators).toHaveLength(14);
    const a: Json = { $getField: 'op_name' };
    const b: Json = { $literal: 'x' };
    const lists: Json[] = [[], [a], [a, b], [a, b, b], [a, [b]], [a, []], [a, [b, 1]], [[a], b], [a, null], [1, b]];
    const searches: Json[] = [{ input: a, substr: b }, { input: a }, { input: a, substr: b, case_insensitive: true }];
    const conversions: Json[] = [
      { input: a, to: 'int' },
      { input: a, to: 'date' },
      { input: a, to: null },
      { to: 'int' },
    ];
    const odd: Json[] = [
      { input: a, substr: b, unknown: null },
      { input: a, substr: b, case_insensitive: 1 },
    ];
    const values = [...VALUES, a, b, ...lists, ...searches, ...conversions, ...odd];
    const expressions = [...operators, '$ne', '$nin', '$regex', 'and', ''].flatMap((operator) =>
      values.map((value): Json => ({ [operator]: value })),
    );
    const isRead = (expression: Json) => shapeErrorOf(expression) === undefined;
    const fitsExpression = (expression: Json) =>
      checkRequestBody('/components/schemas/Expression', expression).length === 0;
    expect(expressions.filter((expression) => isRead(expression) !== fitsExpression(expression))).toEqual([]);
  });

  test('on generated expressions', () => {
    const verdicts = { true: 0, false: 0 };
    const property = fc.property(operands.node, (expression) => {
      const verdict = checkRequestBody('/components/schemas/Expression', expression).length === 0;
      verdicts[`${verdict}`] += 1;
      expect(shapeErrorOf(expression) === undefined).toBe(verdict);
    });
    fc.assert(property, { numRuns: 1000 });
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(50);
  });
});
