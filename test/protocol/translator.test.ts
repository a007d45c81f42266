import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonValue, NumberToken } from '../../src/protocol/values/canonical-json.ts';
import { W } from '../../src/protocol/spelling/dialect.ts';
import { parseJson, stringifyJson } from '../../src/protocol/values/json.ts';
import { translatorOf } from '../../src/protocol/spelling/translator.ts';

const w = translatorOf(W);

const OTHERS = { type: 'Op', files: { 'obj.py': 'd' } };

/** Every row of the table of the protocol: what is translated, native and in the dialect. */
const ROWS: (readonly [what: string, translate: (value: never) => unknown, native: unknown, dialect: unknown])[] = [
  ...Object.entries(W.keys).map(([native, dialect]) => ['key', w.key, native, dialect] as const),
  ...Object.entries(W.keys).map(([native, dialect]) => ['path', w.path, native, dialect] as const),
  ['reference', w.text, 'svc:///a/b/call/c', 'weave:///a/b/call/c'],
  ['reference out of sight', w.text, 'svc-private:///a/b/call/c', 'weave-private:///a/b/call/c'],
  ['path', w.path, 'summary.svc.latency_ms', 'summary.weave.latency_ms'],
  ['path', w.path, 'summary.svc', 'summary.weave'],
  ['path', w.path, 'attributes.svc.client_version', 'attributes.weave.client_version'],
  ['path', w.path, 'feedback.[svc.note.1].payload.note', 'feedback.[wandb.note.1].payload.note'],
  ['path', w.path, 'feedback.[svc.reaction.1].payload.emoji', 'feedback.[wandb.reaction.1].payload.emoji'],
  ['path', w.path, 'feedback.[svc.annotation.q].payload.value', 'feedback.[wandb.annotation.q].payload.value'],
  ['path', w.path, 'feedback.[svc.runnable.q].runnable_ref', 'feedback.[wandb.runnable.q].runnable_ref'],
  ['namespace', w.namespaced, { svc: { status: 'x' }, mine: 1 }, { weave: { status: 'x' }, mine: 1 }],
  ['feedback type', w.feedbackType, 'svc.reaction.1', 'wandb.reaction.1'],
  ['feedback type', w.feedbackType, 'svc.note.1', 'wandb.note.1'],
  ['feedback type', w.feedbackType, 'svc.annotation.quality', 'wandb.annotation.quality'],
  ['feedback type', w.feedbackType, 'svc.runnable.judge', 'wandb.runnable.judge'],
  ['feedback type', w.feedbackType, 'svc.annotation', 'wandb.annotation'],
  [
    'custom type',
    w.value,
    { _type: 'CustomType', svc_type: OTHERS, files: { svc_type: 'd' } },
    { _type: 'CustomWeaveType', weave_type: OTHERS, files: { svc_type: 'd' } },
  ],
  ['placeholder', w.value, { _svc: { error: '<EXCEEDS_LIMITS>' } }, { _weave: { error: '<EXCEEDS_LIMITS>' } }],
  [
    'placeholder',
    w.namespaced,
    { _svc: { error: '<EXCEEDS_LIMITS>' }, svc: { status: 'success' } },
    { _weave: { error: '<EXCEEDS_LIMITS>' }, weave: { status: 'success' } },
  ],
  ['deep value', w.value, [{ a: ['svc:///a/b/op/f:1'] }], [{ a: ['weave:///a/b/op/f:1'] }]],
  ['message', w.message, 'Cannot set svc_user_id: the service', 'Cannot set wb_user_id: the service'],
  ['message', w.message, 'want svc.entity and svc.project', 'want wandb.entity and wandb.project'],
  ['message', w.message, 'field "summary.svc.cost": no', 'field "summary.weave.cost": no'],
  ['message', w.message, 'it does not start with svc:///', 'it does not start with weave:///'],
  ['message', w.message, 'the type "svc.runnable" lacks', 'the type "wandb.runnable" lacks'],
  ['message', w.message, 'the header svc-api-key, svc_ref', 'the header wandb-api-key, weave_ref'],
];

test.each(ROWS)('a %s is exchanged in both directions: %3$j', (_what, translate, native, dialect) => {
  expect(translate(native as never)).toEqual(dialect);
  expect(translate(dialect as never)).toEqual(native);
});

/** What looks like a name of the protocol, and is not one where it stands. */
const KEPT: readonly [what: string, translate: (value: never) => unknown, value: unknown][] = [
  ['a key of a user', w.value, { svc_user_id: 'u', weave_ref: 1, svc: { a: 1 }, _svc: 1, svc_type: { type: 'Op' } }],
  ['a scheme inside a text', w.value, 'see svc:///a/b/call/c'],
  ['the scheme of the inside of the vendor', w.value, ['weave-trace-internal:///p/call/c', 'svc-internal:///p/call/c']],
  ['a type without the key beside it', w.value, { _type: 'CustomType', files: {} }],
  ['a key without the type beside it', w.value, { _type: 'Model', weave_type: { type: 'Op' } }],
  ['a type with the key of the other', w.value, { _type: 'CustomType', weave_type: { type: 'Op' } }],
  ['a key that holds no type', w.value, { _type: 'CustomType', svc_type: 'Op' }],
  ['what is more than the placeholder', w.value, { _svc: { error: '<EXCEEDS_LIMITS>', more: 1 } }],
  ['a path into values of users', w.path, 'inputs.svc.svc_user_id'],
  ['a path into payloads', w.path, 'payload.svc_ref'],
  ['an escaped dot', w.path, 'summary.svc\\.status'],
  ['a column that only begins like a name', w.path, 'svc_user_ident'],
  ['a type without rules', w.feedbackType, 'wandb.custom.1'],
  ['a later version of a type', w.feedbackType, 'svc.note.10'],
  ['part of a word in a message', w.message, 'my_svc_user_id svc_user_id_2 x-svc-api-key'],
];

test.each(KEPT)('%s stays as it is', (_what, translate, value) => {
  expect(translate(value as never)).toEqual(value);
});

test('a value without anything to exchange is not copied', () => {
  const value = { a: [1, { b: 'text' }], _type: 'CustomType' };
  expect(w.value(value)).toBe(value);
});

test('numbers keep their digits and keys named like those of prototypes stay members', () => {
  const text = '{"a":[1.0,12345678901234567890,1e+16],"__proto__":{"ref":"svc:///a/b/call/c"},"constructor":"x"}';
  const translated = w.value(parseJson(text));
  expect(stringifyJson(translated)).toBe(text.replace('svc:///', 'weave:///'));
});

const TRICKY = [
  ...Object.entries({ ...W.keys, ...W.schemes, ...W.customTypes, ...W.customTypeKeys, ...W.placeholders }).flat(),
  ...Object.entries({ ...W.namespaces, ...W.feedbackTypes }).flat(),
  'svc:///a/b/object/o:1/attr/x',
  'weave:///not a ref',
  '_type',
  'type',
  'error',
  '<EXCEEDS_LIMITS>',
  '__proto__',
];

const tricky = fc.oneof(fc.constantFrom(...TRICKY), fc.string());

const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    tricky,
    fc.constantFrom<JsonValue>(null, true, 1, new NumberToken('1.0'), new NumberToken('12345678901234567890')),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(tricky, tie('value'), { maxKeys: 4 }),
    fc.record({ _type: tricky, svc_type: fc.record({ type: tricky }), more: tie('value') }),
    fc.record({ _type: tricky, weave_type: fc.record({ type: tricky }), svc_type: tie('value') }),
  ),
})).value;

test('translating a value twice gives back the value', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(w.value(w.value(value))).toEqual(value);
      expect(w.namespaced(w.namespaced(value))).toEqual(value);
    }),
  );
});

test('translating a text of any kind twice gives back the text', () => {
  const part = fc.oneof(fc.constantFrom('.', '[', ']', 'feedback.[', 'summary.', 'attributes.', ' '), tricky);
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      for (const translate of [w.key, w.text, w.path, w.feedbackType]) expect(translate(translate(text))).toBe(text);
    }),
  );
});
