import type { TSchema } from '@sinclair/typebox';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, NumberToken } from '../../src/protocol/values/canonical-json.ts';
import { W } from '../../src/protocol/spelling/dialect.ts';
import { SERVED, type Endpoint, type ServedName } from '../../src/protocol/endpoints.ts';
import { stringifyJson } from '../../src/protocol/values/json.ts';
import { endpointDialect } from '../../src/server/spelling/endpoint-spelling.ts';

const NAMES = Object.keys(SERVED) as ServedName[];

/** Names of both spellings, and texts that begin like references. */
const NAMED = Object.values(W)
  .flatMap((group) => (typeof group === 'string' ? [] : Object.entries(group).flat()))
  .concat('svc:///a/b/call/c', 'weave:///a/b/object/o:1', '_type', '__proto__', 'feedback.[wandb.note.1].payload.note')
  .concat('summary.svc.status', 'summary.weave.x', 'attributes.weave.x', 'plain');

const text = fc.oneof(fc.constantFrom(...NAMED), fc.string({ maxLength: 8 }));
const scalar = fc.oneof(
  text,
  fc.constantFrom<JsonValue>(null, true, 1.5, new NumberToken('1.0'), new NumberToken('12345678901234567890')),
);
const userValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    fc.constantFrom<JsonValue>(
      { _type: 'CustomType', svc_type: { type: 'Op' } },
      { _svc: { error: '<EXCEEDS_LIMITS>' } },
    ),
  ),
})).value;
const expression: fc.Arbitrary<JsonValue> = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.record({ $getField: fc.oneof(text, fc.constant('feedback_type')) }),
    fc.record({ $literal: userValue }),
    fc.record({ $eq: fc.tuple(tie('node'), tie('node')) }),
    fc.record({ $in: fc.tuple(tie('node'), fc.array(tie('node'), { maxLength: 3 })) }),
    fc.record({ $contains: fc.record({ input: tie('node'), substr: tie('node'), case_insensitive: fc.boolean() }) }),
    fc.record({ $and: fc.array(tie('node'), { maxLength: 3 }) }),
  ),
})).node;

interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Bodies of a schema: right ones, and some with keys that are not in it. */
function bodies(schema: Schema, name = ''): fc.Arbitrary<JsonValue> {
  if (name === '$expr') return expression;
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => bodies(option)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.properties) return objects(schema);
  if (Array.isArray(schema.items)) return fc.tuple(...schema.items.map((item: Schema) => bodies(item)));
  if (schema.items) return fc.array(bodies(schema.items as Schema), { maxLength: 3 });
  return schema.type === 'string' ? text : userValue;
}

function objects({ properties = {}, required = [] }: Schema): fc.Arbitrary<JsonValue> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, bodies(member, name)]));
  const known = fc.record(members, { requiredKeys: [...required] });
  return fc.oneof(
    { arbitrary: known, weight: 4 },
    {
      arbitrary: fc.tuple(known, fc.dictionary(text, scalar, { maxKeys: 2 })).map(([a, b]) => ({ ...b, ...a })),
      weight: 1,
    },
  );
}

const schemaOf = (schema: TSchema) => schema as Schema;

/** Answers of no references: what they name decides how the values are read. */
const NO_REFS = { refs: [] };

describe('a body that goes into the dialect and back is the body that was there', () => {
  test.each(NAMES)('an answer of %s', (name) => {
    const { answer } = endpointDialect(name, W);
    fc.assert(
      fc.property(bodies(schemaOf(SERVED[name].response)), (body) => {
        const native = stringifyJson(body);
        expect(answer(answer(native, NO_REFS), NO_REFS)).toBe(native);
      }),
      { numRuns: 60 },
    );
  });

  const posts = NAMES.flatMap((name) => {
    const { request }: Endpoint = SERVED[name];
    return request ? [[name, schemaOf(request)] as const] : [];
  });
  test.each(posts)('a request of %s', (name, schema) => {
    const { request } = endpointDialect(name, W);
    fc.assert(
      fc.property(bodies(schema), (body) => {
        expect(request(request(body))).toEqual(body);
      }),
      { numRuns: 60 },
    );
  });
});
