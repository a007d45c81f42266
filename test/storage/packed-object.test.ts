import { expect, test } from 'vitest';
import type { NewObject } from '../../src/storage/contract/objects.ts';
import { objectOf, objectWith, packObject } from '../../src/storage/packed/packed-object.ts';
import { shareText } from '../../src/storage/packed/shared-text.ts';

const FACTS: Omit<NewObject, 'val'> = {
  project_id: 'acme/demo',
  object_id: 'o',
  kind: 'object',
  digest: 'd',
  base_object_class: null,
  leaf_object_class: null,
  svc_user_id: 'me',
  created_at: 1,
};
const VAL = `{"text": "${'x'.repeat(100_000)}"}`;

test.each([
  ['as it is', { ...FACTS, val: VAL }],
  ['with its text', objectWith(FACTS, VAL)],
  ['with a text in shared memory', objectWith(FACTS, shareText(VAL))],
])('an object %s is the same when it was packed, copied and passed on', (_how, object) => {
  const whole = { ...FACTS, val: VAL };
  expect(objectOf(structuredClone(packObject(object)))).toEqual(whole);
  expect(structuredClone(object)).toEqual(whole);
  expect({ ...object }).toEqual(whole);
});

test('a text in shared memory is passed on as it is', () => {
  const val = shareText(VAL);
  const passed = structuredClone(packObject(objectWith(FACTS, val)));
  val.bytes[0] = 0x5b;
  expect(objectOf(passed).val).toBe(VAL.replace('{', '['));
});
