import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { findList } from '../../src/server/http/body/list-portions.ts';
import { surveyAtOnce } from '../../src/server/http/body/body-survey.ts';
import { bodyReading } from '../../src/server/http/body/native-body.ts';
import { readInPortions } from '../../src/server/http/body/read-in-portions.ts';
import { parseBody } from '../../src/server/http/body/request-body.ts';

const { check } = bodyReading('tableCreate', DEFAULT_LIMITS, undefined);
const READING = { keys: ['table', 'rows'], others: { project_id: '' }, limits: DEFAULT_LIMITS, check } as const;

const received = (text: string) => {
  const bytes = Buffer.from(text);
  return { bytes, shape: surveyAtOnce(bytes) };
};

/** What a body says, or why it is refused. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TracingError)) throw error;
    return { code: error.code, detail: error.extra['detail'] };
  }
}

const whole = (text: string) => outcomeOf(() => check(parseBody(received(text), DEFAULT_LIMITS)));

/** The same, read in portions; as a whole where the list is not found. */
function inPortions(text: string): unknown {
  return outcomeOf(() => {
    const read = readInPortions(received(text), READING);
    if (!read) return whole(text);
    const rows = [...read.portions].flat();
    const { table } = read.rest as { table: object };
    return { ...(read.rest as object), table: { ...table, rows } };
  });
}

const rowsOf = (rows: string) => `{"table":{"project_id":"a/b","rows":${rows},"expected_digest":null}}`;

test.each([
  ['no rows', rowsOf('[]')],
  ['blanks for rows', rowsOf('[ \n ]')],
  ['rows', rowsOf('[{"a":1.0},{"b":[1,{"c":"],}"}]} , {"d":"\\""}]')],
  ['rows before the project', '{"table":{"rows":[{"a":1}],"project_id":"a/b"}}'],
  ['blanks around', ' { "table" : { "rows" : [ { "a" : 1 } ] , "project_id" : "a/b" } } '],
  ['rows twice', '{"table":{"project_id":"a/b","rows":[{"a":1}],"rows":[{"b":1}]}}'],
  ['a table twice', '{"table":{"project_id":"a/b","rows":[{"a":1}]},"table":{"project_id":"a/b","rows":[]}}'],
  ['rows by an escaped key', String.raw`{"table":{"project_id":"a/b","rows":[{"a":1}],"\u0072ows":[]}}`],
  ['rows elsewhere', '{"rows":[1],"table":{"project_id":"a/b","a":{"rows":[2]},"rows":[{"c":3}]}}'],
  ['a table in a list', '[{"table":{"rows":[{"a":1}]}}]'],
  ['no list', rowsOf('{"a":[1]}')],
  ['a wrong row', rowsOf('[{"a":1},2,{"b":1},[]]')],
  ['a wrong row and no project', '{"table":{"rows":[1]}}'],
  ['a comma too many', rowsOf('[{"a":1},]')],
  ['a comma alone', rowsOf('[,]')],
  ['two commas', rowsOf('[{"a":1},,{"b":1}]')],
  ['another bracket', rowsOf('[{"a":1}}')],
  ['crossed brackets', rowsOf('[{"a":[1}]]')],
  ['no end', '{"table":{"project_id":"a/b","rows":[{"a":1}'],
  ['something behind the end', `${rowsOf('[{"a":1}]')}]`],
])('%s say the same in portions', (_name, text) => {
  expect(inPortions(text)).toEqual(whole(text));
});

test('many rows are the same in portions, and a wrong one has its place', () => {
  const rows = Array.from({ length: 12_000 }, (_, index) => `{"n":${index}}`);
  expect(findList(Buffer.from(rowsOf(`[${rows.join(',')}]`)), ['table', 'rows'])?.portions.length).toBeGreaterThan(2);
  expect(inPortions(rowsOf(`[${rows.join(',')}]`))).toEqual(whole(rowsOf(`[${rows.join(',')}]`)));
  rows[11_000] = '1';
  expect(inPortions(rowsOf(`[${rows.join(',')}]`))).toMatchObject({
    detail: [{ loc: ['body', 'table', 'rows', 11_000] }],
  });
});

test('whatever text it is, it says the same in portions', () => {
  const text = fc
    .array(
      fc.constantFrom(
        '{"table":',
        '{"project_id":"a/b",',
        '"rows":',
        '[',
        ']',
        '{',
        '}',
        ',',
        '{"a":1}',
        '"',
        '\\',
        ' ',
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
  const changed = fc.tuple(fc.nat(60), fc.constantFrom('', ',', ']', '[', '{', '}', '"', '1')).map(([at, put]) => {
    const sound = rowsOf('[{"a":1},{"b":[2]},{"c":"]"}]');
    return sound.slice(0, at) + put + sound.slice(at + 1);
  });
  fc.assert(
    fc.property(fc.oneof(text, changed), (json) => {
      expect(inPortions(json)).toEqual(whole(json));
    }),
    { numRuns: 2000 },
  );
});
