import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import type { JsonValue } from '../../src/protocol/values/canonical-json.ts';
import { parseJson, stringifyJson } from '../../src/protocol/values/json.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { parseBody } from '../../src/server/http/body/request-body.ts';
import { parseWide, WIDE_MEMBERS } from '../../src/server/http/body/wide-objects.ts';

/** What a text says, with the order of its keys, or why it is refused. */
function outcomeOf(read: () => JsonValue): unknown {
  try {
    const value = read();
    return { value, text: stringifyJson(value) };
  } catch (error) {
    if (!(error instanceof TracingError)) throw error;
    return error.code;
  }
}

const whole = (text: string) => outcomeOf(() => parseJson(text));
const inPortions = (text: string) => outcomeOf(() => parseWide(Buffer.from(text), parseJson));

/** An object of very many members, with others in their middle and at their end. */
const wide = (middle = '', end = '') => {
  const members = Array.from({ length: WIDE_MEMBERS + 10 }, (_, index) => `"k${index}":${index % 3 ? index : '1.0'}`);
  members.splice(9000, 0, ...(middle === '' ? [] : [middle]));
  return `{${members.join(',')}${end}}`;
};

/** So many members in one object. */
const members = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')}}`;

test.each([1, 4, 16])('an object of %i times as many members is parsed in portions of the same size', (times) => {
  const texts: string[] = [];
  const parse = (text: string) => {
    texts.push(text);
    return parseJson(text);
  };
  const body = `{"a":[${members(WIDE_MEMBERS * times + 1)}]}`;
  expect(parseWide(Buffer.from(body), parse)).toEqual(parseJson(body));
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(40_000);
});

test('a body with such an object is read so', () => {
  const parsed = vi.spyOn(JSON, 'parse');
  const bytes = Buffer.from(`{"a":[${members(WIDE_MEMBERS + 200)}]}`);
  parseBody({ bytes, shape: surveyAtOnce(bytes) }, DEFAULT_LIMITS);
  const longest = Math.max(...parsed.mock.calls.map(([text]) => text.length));
  parsed.mockRestore();
  expect(longest).toBeLessThan(40_000);
});

describe.each([
  ['alone', (object: string) => object],
  ['with blanks', (object: string) => ` \n${object}\t`],
  ['in others', (object: string) => `{"a":[{"b":${object},"c":"}"}],"d":{}}`],
  ['twice', (object: string) => `[${object},"{",${object}]`],
  ['replaced by the same key', (object: string) => `{"a":${object},"a":1}`],
  ['under the same key', (object: string) => `{"a":1,"b":2,"a":${object}}`],
  ['under a key that is no member', (object: string) => `{"__proto__":${object}}`],
  ['in one that is as wide', (object: string) => wide(`"w":${object}`)],
  ['with something behind it', (object: string) => `${object}]`],
  ['with something before it', (object: string) => `,${object}`],
  ['without its end', (object: string) => `{"a":${object}`],
  ['two without a comma', (object: string) => `[${object}${object}]`],
])('an object of very many members %s', (_name, around) => {
  test.each([
    ['as it is', wide()],
    ['with blanks at the end', wide('', ' \n')],
    ['with a key twice', wide('"k100":"é","k19000":[]')],
    ['with numbers as keys', wide('"7":1,"3":2,"-1":{}')],
    ['with a key that is no member', wide('"__proto__":{"a":1}')],
    ['with half a character', wide(String.raw`"\ud800":"\ud801","\udfff":1`)],
    ['with brackets and quotes in texts', wide(String.raw`"}":"\"{,","\\":"]"`)],
    ['with a comma at the end', wide('', ',')],
    ['with a comma and a blank at the end', wide('', ', ')],
    ['with two commas', wide(',"a":1')],
    ['with another bracket', wide('"a":[1}')],
    ['with a bracket too many', wide('"a":1}')],
    ['with no value', wide('"a"')],
    ['as a key', `{${wide('"a":1')}:1}`],
    ['as a key, with blanks', `{${wide('"a":1')} \n: 1}`],
    ['with a number that is too large', wide('"a":1e999')],
  ])('%s says the same in portions', (_member, object) => {
    const text = around(object);
    expect(inPortions(text)).toEqual(whole(text));
  });
});

test('commas at the place of a cut are found', () => {
  const sound = Array.from({ length: WIDE_MEMBERS + 10 }, (_, index) => `"k${index}":1`);
  for (const at of [1999, 2000, 2001, 4000, WIDE_MEMBERS, WIDE_MEMBERS + 9]) {
    for (const member of ['', ' ', '1', '"a"', '"a":', '"b":2']) {
      const text = `{${sound.map((one, index) => (index === at ? member : one)).join(',')}}`;
      expect(inPortions(text)).toEqual(whole(text));
    }
  }
});

test('whatever is changed in a text, it says the same in portions', { timeout: 120_000 }, () => {
  const sound = `{"a":[${wide('"x":{"y":["z"]}')},{}]}`;
  const changed = fc.tuple(fc.nat(sound.length), fc.constantFrom('', ',', ']', '[', '{', '}', '"', '1', ':', '\\'));
  fc.assert(
    fc.property(changed, ([at, put]) => {
      const text = sound.slice(0, at) + put + sound.slice(at + 1);
      expect(inPortions(text)).toEqual(whole(text));
    }),
    { numRuns: 60 },
  );
});
