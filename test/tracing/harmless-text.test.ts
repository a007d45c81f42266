import { array, check, constantFrom, oneof, property, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { isHarmless } from '../../src/tracing/mask/harmless-text.ts';
import { kindOfKey } from '../../src/tracing/mask/key-kind.ts';
import { KnownKinds } from '../../src/tracing/mask/known-kinds.ts';
import { maskText } from '../../src/tracing/mask/mask-text.ts';
import { compileMask, MASKED } from '../../src/tracing/mask/mask.ts';
import { SECRETS } from '../../src/testing/masking/secret-corpus.ts';

const mask = compileMask(undefined);
const rules = {
  replacement: MASKED,
  kinds: new KnownKinds((key) =>
    kindOfKey(key, { isSecret: (name) => mask.isSecretKey(name), isAllowed: () => false }),
  ),
  isHarmlessMember: () => false,
  shapes: [],
};

/** Pieces of what the rules look for, so that some texts are secrets and many are nearly one. */
const piece = oneof(
  constantFrom(
    'Bearer ',
    'machine a.b ',
    'default login ',
    'login a ',
    'password ',
    'bearer+',
    'BASIC ',
    'basic ',
    'AKIA',
    'sk',
    'token',
    'password',
    'eyJ',
    'dapi',
    'SG',
    '\\n',
    '[["token","',
    '"],["token","',
    "['token', '",
  ),
  constantFrom(':', '=', '--', '<', '>', '@', '://', '%3D', '[', ']', ',', '-', '_', '.', ' ', '"', '/', '\n'),
  stringMatching(/^[A-Za-z0-9]{1,20}$/),
  string({ unit: 'binary', maxLength: 4 }),
);
const text = array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

test('no rule finds anything in a harmless text', () => {
  const isMaskedThough = (candidate: string) => isHarmless(candidate) && maskText(candidate, rules) !== candidate;
  const { counterexample } = check(
    property(text, (candidate) => !isMaskedThough(candidate)),
    { numRuns: 20_000 },
  );
  expect(counterexample).toBeNull();
});

test('no secret is harmless, wherever it stands', () => {
  const texts = SECRETS.flatMap(({ text: secret }) => [
    secret,
    `see ${secret}, please`,
    `see\n${secret}`,
    `'${secret}'`,
  ]);
  const found = texts.filter((secret) => maskText(secret, rules) !== secret && isHarmless(secret));
  expect(found).toEqual([]);
});

test.each(['question 5', 'What is the capital of France?', 'Übergrößen träger', '', 'a'.repeat(15), '2026/11/22'])(
  '%j is harmless',
  (plain) => {
    expect(isHarmless(plain)).toBe(true);
  },
);
