import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionAt } from '../../src/filter/completion-at.ts';
import { withoutTerm, withTerm } from '../../src/filter/edit-terms.ts';
import { FILTER_FIELDS } from '../../src/filter/fields.ts';
import { parseFilter } from '../../src/filter/parse-filter.ts';
import { endOf } from '../../src/filter/span.ts';
import { tokensOf } from '../../src/filter/tokens-of.ts';
import { FILTER_LIMITS } from '../../src/filter/tree.ts';
import { anyInput } from './any-filter.ts';
import { errorsOf, treeOf, withoutSpans } from './reading.ts';

const words = (text: string) => ({ kind: 'words', text });

describe('structure', () => {
  test('an empty text is everything', () => {
    expect(withoutSpans(treeOf('  '))).toEqual({ kind: 'and', parts: [] });
  });

  test('conditions side by side bind more than "or"', () => {
    expect(withoutSpans(treeOf('a b or c'))).toEqual({
      kind: 'or',
      parts: [{ kind: 'and', parts: [words('a'), words('b')] }, words('c')],
    });
  });

  test('parentheses bind most', () => {
    expect(withoutSpans(treeOf('a (b or c)'))).toEqual({
      kind: 'and',
      parts: [words('a'), { kind: 'or', parts: [words('b'), words('c')] }],
    });
  });

  test('a dash is of the one condition after it', () => {
    expect(withoutSpans(treeOf('-a b'))).toEqual({
      kind: 'and',
      parts: [{ kind: 'not', part: words('a') }, words('b')],
    });
    expect(withoutSpans(treeOf('-or'))).toEqual({ kind: 'not', part: words('or') });
    expect(withoutSpans(treeOf('-(a or b)'))).toEqual({
      kind: 'not',
      part: { kind: 'or', parts: [words('a'), words('b')] },
    });
  });

  test('code is looked for as it stands', () => {
    for (const code of [
      'std::vector',
      'https://a.example/x',
      'C:\\dir',
      'main()',
      'f(x,y)',
      '->',
      '--flag',
      '=>',
      '{"a":1}',
      'x=5',
      '12:30',
      'a-b',
    ]) {
      expect(withoutSpans(treeOf(code))).toEqual(words(code));
    }
  });

  test('quotes keep everything, of backslashes those before quotes and backslashes are taken off', () => {
    expect(withoutSpans(treeOf(String.raw`"a \"b\" \\ \n status:ok"`))).toEqual(
      words(String.raw`a "b" \ \n status:ok`),
    );
  });
});

test('spans say where conditions and values stand', () => {
  expect(treeOf('op:a  -thread:t,"x y"')).toMatchObject({
    span: { offset: 0, length: 21 },
    parts: [
      { span: { offset: 0, length: 4 }, test: { values: [{ text: 'a', span: { offset: 3, length: 1 } }] } },
      {
        span: { offset: 6, length: 15 },
        part: {
          span: { offset: 7, length: 14 },
          test: {
            values: [
              { text: 't', span: { offset: 14, length: 1 } },
              { text: 'x y', span: { offset: 16, length: 5 } },
            ],
          },
        },
      },
    ],
  });
});

test.each(FILTER_FIELDS)('the example of $name is a condition on it', ({ name, example }) => {
  expect(treeOf(example)).toMatchObject({ kind: 'field', field: name });
});

describe('errors', () => {
  test.each([
    ['stats:error', 0, 5, 'There is no field "stats"; did you mean status?', 'status'],
    ['a tokns>5', 2, 5, 'There is no field "tokns"; did you mean tokens?', 'tokens'],
    ['attribute.x:1', 0, 11, undefined, 'attr.x'],
    ['attributes.x:1', 0, 12, 'There is no field "attributes.x"; did you mean attr.x?', 'attr.x'],
    ['op.x:1', 0, 6, 'There is no field "op.x"; expected a field, or quotes around the text', undefined],
    ['status:eror', 7, 4, 'status is never "eror"; did you mean error?', 'error'],
    ['status:blue', 7, 4, 'status is never "blue"; expected one of ok, error, running, never, descendant', undefined],
    ['kind:tol', 5, 3, 'kind is never "tol"; did you mean tool?', 'tool'],
    ['op:', 3, 0, 'A value of op is missing; expected a text', undefined],
    ['op:a,', 5, 0, 'A value of op is missing; expected a text', undefined],
    ['op:*a*', 3, 3, '"*a*" has a * where op takes none; expected a * at the end, or quotes around it', undefined],
    ['tokens>many', 7, 4, 'tokens cannot be compared with "many"; expected a number, as 1000 or 10k', undefined],
    ['cost>1,000', 6, 1, '> takes one value; expected no comma', undefined],
    ['latency>2', 8, 1, '"2" has no unit; did you mean 2s?', '2s'],
    ['latency>500', 8, 3, '"500" has no unit; did you mean 500ms?', '500ms'],
    [
      'latency>2d',
      8,
      2,
      'latency cannot be compared with "2d"; expected a time with its unit, as 500ms, 2s, 5m or 1h',
      undefined,
    ],
    [
      'latency:1s..',
      12,
      0,
      'A value of latency is missing; expected a time with its unit, as 500ms, 2s, 5m or 1h',
      undefined,
    ],
    ['latency>1s..2s', 7, 1, 'A range says both ends itself; did you mean :?', ':'],
    [
      'latency:1s..2s,3s',
      14,
      1,
      'A range stands alone; expected nothing after it, or "or" and a condition of its own',
      undefined,
    ],
    ['started:2026-02-30', 8, 10, undefined, undefined],
    ['trace>1', 5, 1, 'Values of trace have no order; did you mean :?', ':'],
    ['attr.x>a*', 7, 2, 'What has a * has no order; expected a value without *, or quotes around it', undefined],
    ['attr:1', 0, 4, '"attr" needs a path; expected attr. and a name', undefined],
    [
      'attr.a..b:1',
      0,
      9,
      'A part of this path is empty, or ends in a backslash; expected names with a dot between them',
      undefined,
    ],
    ['summary.svc.costs:1', 0, 17, undefined, undefined],
    ['feedback.a]:1', 0, 11, undefined, undefined],
    ['op!=a', 2, 2, 'There is no !=; expected : here, and a - before op', undefined],
    ['has:op', 4, 2, undefined, undefined],
    ['has:eror', 4, 4, 'There is no field "eror"; did you mean error?', 'error'],
    [
      'a or',
      2,
      2,
      'A side of this "or" is missing; expected a condition before and after it, or quotes around the word',
      undefined,
    ],
    ['or a', 0, 2, undefined, undefined],
    ['a or or b', 5, 2, undefined, undefined],
    ['and a', 0, 3, undefined, undefined],
    ['(a or b', 0, 1, 'This parenthesis is never closed; expected a ) further on', undefined],
    ['a) b', 1, 1, 'This parenthesis closes nothing; expected a ( before it, or quotes around the text', undefined],
    ['a ()', 2, 2, 'Nothing stands between these parentheses; did you mean "()"?', '"()"'],
    ['a "b', 2, 1, 'The quote that opens here is never closed; expected a second " further on', undefined],
    ['op:"b', 3, 1, 'The quote that opens here is never closed; expected a second " further on', undefined],
    ['""', 0, 2, 'Nothing stands between these quotes; expected a text to look for', undefined],
  ])('of %s point at %i, %i', (text, offset, length, message, suggestion) => {
    const [error, ...others] = errorsOf(text);
    expect(others).toEqual([]);
    expect({ offset: error?.offset, length: error?.length, suggestion: error?.suggestion }).toEqual({
      offset,
      length,
      suggestion,
    });
    expect(error?.message).toMatch(/^.+; (?:did you mean .+\?|expected .+[^.])$/s);
    expect(error?.message).toBe(message ?? error?.message);
  });

  test('all of them are told, in the order of the text', () => {
    expect(errorsOf('stats:1 latency>2 (b').map(({ offset }) => offset)).toEqual([0, 16, 18]);
  });

  test('a filter has limits', () => {
    const { characters, terms, depth, feedback } = FILTER_LIMITS;
    expect(errorsOf('a'.repeat(characters + 1))).toMatchObject([{ offset: characters, length: 1 }]);
    expect(errorsOf('a '.repeat(terms + 1))).toMatchObject([{ offset: 2 * terms, length: 1 }]);
    expect(errorsOf(`op:${'a,'.repeat(terms)}a`)).toMatchObject([{ offset: 3 + 2 * terms, length: 1 }]);
    expect(errorsOf(`${'(a '.repeat(depth + 1)}${')'.repeat(depth + 1)}`)).toMatchObject([
      { offset: 3 * depth, length: 1 },
    ]);
    expect(errorsOf('has:feedback '.repeat(feedback + 1))).toMatchObject([{ offset: 13 * feedback + 4, length: 8 }]);
    expect(treeOf('a '.repeat(terms))).toMatchObject({ kind: 'and' });
  });
});

test('no text makes anything throw', () => {
  fc.assert(
    fc.property(anyInput, fc.nat(), (text, seed) => {
      const read = parseFilter(text);
      const errors = Array.isArray(read) ? read : [];
      for (const { offset, length } of errors) expect(offset >= 0 && offset + length <= text.length).toBe(true);
      expect(Array.isArray(read) && errors.length === 0).toBe(false);
      for (let caret = 0; caret <= text.length; caret++) completionAt(text, caret);
      withoutTerm(text, seed % 4);
      withTerm(text, 'op:a');
    }),
    { numRuns: 2000 },
  );
});

test('tokens are the whole text but blanks', () => {
  fc.assert(
    fc.property(anyInput, (text) => {
      let end = 0;
      for (const { span } of tokensOf(text)) {
        expect(text.slice(end, span.offset)).toMatch(/^\s*$/);
        end = endOf(span);
      }
      expect(text.slice(end)).toMatch(/^\s*$/);
    }),
    { numRuns: 2000 },
  );
});
