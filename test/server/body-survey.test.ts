import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { BodySurvey, type BodyShape, surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { listRules } from '../../src/server/http/body/list-limits.ts';

function surveyInPieces(body: Buffer, bytes: number): BodyShape {
  const survey = new BodySurvey(body);
  while (!survey.isDone) survey.advance(bytes);
  return survey.shape;
}

test('a text is the same in pieces of any size', () => {
  const text = fc.oneof(
    fc.json({ maxDepth: 6 }),
    fc
      .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '1.0', '12345678901234567', 'e5', 'a', ' '), {
        maxLength: 200,
      })
      .map((parts) => parts.join('')),
    fc.array(fc.constantFrom('\\', '"', 'x', 'u'), { maxLength: 300 }).map((parts) => `["${parts.join('')}"]`),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), (json, bytes) => {
      const body = Buffer.from(json);
      expect(surveyInPieces(body, bytes)).toEqual(surveyAtOnce(body));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['alone', String.raw`["\ud800"]`],
  ['behind a text', String.raw`["${'x'.repeat(60)}\ud800", 1]`],
  ['in a key', String.raw`{"\ud800":"a"}`],
  ['behind an escaped backslash', String.raw`["a\\\ud800"]`],
  ['behind another escape', String.raw`["\n\ud800"]`],
])('an escaped code unit %s is seen wherever a piece ends', (_name, json) => {
  const body = Buffer.from(json);
  for (let first = 1; first <= body.length; first++) {
    for (const rest of [1, 2, body.length]) {
      const survey = new BodySurvey(body);
      survey.advance(first);
      while (!survey.isDone) survey.advance(rest);
      expect(survey.shape.isPlain, `${first} bytes, then ${rest} at a time`).toBe(false);
    }
  }
});

const fill = (item: string, bytes: number) =>
  Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join(',');

test.each([
  ['a list of objects', '{}'],
  ['a list of lists', '[]'],
  ['a list of nulls', 'null'],
])('%s is refused in its first piece, however long it is', (_name, item) => {
  const lists = listRules('callUpsertBatch', DEFAULT_LIMITS);
  for (const bytes of [100_000, 4_000_000]) {
    const survey = new BodySurvey(Buffer.from(`{ "batch" : [${fill(item, bytes)}`), { lists });
    expect(() => survey.advance(70_000)).toThrow(expect.objectContaining({ code: 'too_many_items' }));
  }
});

test('a list of that name elsewhere has no limit', () => {
  const lists = listRules('callUpsertBatch', DEFAULT_LIMITS);
  const long = `[${fill('1', 50_000)}]`;
  for (const text of [
    `{"a":{"batch":${long}}}`,
    `{"batch":[${long},{"batch":${long}}]}`,
    `{"a":"batch","b":${long}}`,
  ]) {
    expect(() => surveyAtOnce(Buffer.from(text), { lists })).not.toThrow();
  }
});

test('what is deeper than a body may be is refused where it gets too deep', () => {
  const survey = new BodySurvey(Buffer.from('['.repeat(1_000_000)), { maxDepth: 5000 });
  expect(() => survey.advance(6000)).toThrow('more than 5000 levels');
});

/** How much of the work of parsing `JSON.parse` does, by count: values of each kind grow what is estimated. */
test.each([
  ['objects', '{}', 60],
  ['lists', '[]', 45],
  ['numbers of another class', '1.0', 100],
  ['numbers with an exponent', '1e5', 100],
  ['numbers of many digits', '12345678901234567890', 100],
  ['texts', '"ab"', 16],
])('%s are estimated by their number', (_name, item, bytes) => {
  for (const count of [1000, 50_000]) {
    const { memoryBytes } = surveyAtOnce(Buffer.from(`[${Array(count).fill(item).join(',')}]`));
    expect(memoryBytes / count).toBeGreaterThan(bytes);
    expect(memoryBytes / count).toBeLessThan(bytes * 3);
  }
});

test('keys of wide objects are work, the same key of many small ones is not', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`);
  const wide = surveyAtOnce(Buffer.from(`{${keys.join(',')}}`));
  const narrow = surveyAtOnce(Buffer.from(`[${keys.map(() => '{"key":1}').join(',')}]`));
  expect(wide.parseMs).toBeGreaterThan(50);
  expect(narrow.parseMs).toBeLessThan(wide.parseMs);
});

test.each([5000, 100_000, 400_000])('%i different keys of small objects take memory, each once', (count) => {
  const memoryOf = (keyOf: (index: number) => string) => {
    const objects = Array.from({ length: count }, (_, index) => `{"${keyOf(index)}":1}`);
    return surveyAtOnce(Buffer.from(`[${objects.join(',')}]`)).memoryBytes / count;
  };
  const same = memoryOf(() => 'key');
  expect(memoryOf((index) => `k${index % 100}`)).toBeCloseTo(same, -1);
  // So few are not counted at all.
  expect(memoryOf((index) => `key number ${index}`) - same).toBeGreaterThan(180);
  expect(memoryOf((index) => `key number ${index}`) - same).toBeLessThan(300);
});

test('an empty object takes more room than one with a member', () => {
  const memoryOf = (item: string) => surveyAtOnce(Buffer.from(`[${Array(1000).fill(item).join(',')}]`)).memoryBytes;
  expect(memoryOf('{}')).toBeGreaterThan(memoryOf('{"a":1}'));
  expect(memoryOf('[]')).toBeGreaterThan(memoryOf('[1]'));
  expect(memoryOf('[[]]')).toBeGreaterThan(memoryOf('[[1]]'));
});
