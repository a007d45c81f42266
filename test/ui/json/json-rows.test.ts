import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutKeysOf, cutMarkOf } from '../../../src/ui/json/cut-mark.ts';
import { findInJson } from '../../../src/ui/json/find-in-json.ts';
import { childrenOf, decodeString, type JsonNode, memberOf, rootOf } from '../../../src/ui/json/json-node.ts';
import { pathText } from '../../../src/ui/json/json-path.ts';
import { GROUP_SIZE, type JsonRow, JsonRows, MAX_EXPANDED_ROWS } from '../../../src/ui/json/json-rows.ts';
import { BrokenJson } from '../../../src/ui/json/scan.ts';
import { showControls } from '../../../src/ui/json/show-controls.ts';
import { fileMarkerOf } from '../../../src/ui/json/stored-file.ts';

/** The value as `JSON.parse` would make it, from ranges alone. */
function valueOf(text: string, node: JsonNode): unknown {
  if (node.kind === 'string') return decodeString(text, node.start, node.end).text;
  if (node.kind === 'array') return childrenOf(text, node).map((child) => valueOf(text, child));
  if (node.kind !== 'object') return JSON.parse(text.slice(node.start, node.end));
  const members = childrenOf(text, node).map((child) => [child.key, valueOf(text, child)] as const);
  return Object.fromEntries(members);
}

function placeOfBreak(text: string): number | undefined {
  try {
    valueOf(text, rootOf(text));
    return undefined;
  } catch (error) {
    return error instanceof BrokenJson ? error.at : Number.NaN;
  }
}

function firstRow(rows: JsonRows): JsonRow {
  const [first] = rows.rowsOf(new Set());
  if (first === undefined) throw new Error('There is no row');
  return first;
}

function rowsOf(text: string): JsonRows {
  return new JsonRows(text, rootOf(text));
}

describe('ranges of a JSON text', () => {
  test('are what the native parser reads, whatever the value and the white space', () => {
    const value = fc.jsonValue({ stringUnit: 'binary' });
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (original, indent) => {
        const text = JSON.stringify(original, null, indent);
        expect(JSON.stringify(valueOf(text, rootOf(text)))).toEqual(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test.each([
    ['', 0],
    ['{"a":', 0],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['[1,]', 3],
    ['{a:1}', 1],
    ['"open', 0],
    ['[1] x', 4],
    ['NaN', 0],
    ['[tru]', 1],
  ])('%j is broken at %d', (text, at) => {
    expect(placeOfBreak(text)).toBe(at);
  });

  test('numbers keep the digits that they were sent with', () => {
    const text = '{"id":12345678901234567890,"rate":1.0,"tiny":1e-400}';
    expect(childrenOf(text, rootOf(text)).map(({ start, end }) => text.slice(start, end))).toEqual([
      '12345678901234567890',
      '1.0',
      '1e-400',
    ]);
  });

  test('the last of two members with one name counts', () => {
    const text = '{"a":1,"a":2}';
    const node = memberOf(text, rootOf(text), 'a');
    expect(node && text.slice(node.start, node.end)).toBe('2');
  });

  test('half of a surrogate pair is shown as a replacement, a whole one as its character', () => {
    const text = String.raw`"\ud83d\ude00 \ud83d x"`;
    expect(decodeString(text, 0, text.length).text).toBe('😀 \ufffd x');
  });

  test('the head of a long string ends between characters, never within an escape', () => {
    const text = JSON.stringify('\u0001'.repeat(100));
    for (let limit = 0; limit < 40; limit++) {
      const head = decodeString(text, 0, text.length, limit);
      expect(head).toEqual({ text: '\u0001'.repeat(head.text.length), isWhole: false });
    }
  });

  test('a string of 20 MB inside is jumped over', () => {
    const text = JSON.stringify({ before: 1, long: 'x'.repeat(20_000_000), after: 2 });
    expect(childrenOf(text, rootOf(text)).map(({ key }) => key)).toEqual(['before', 'long', 'after']);
  });

  test('100,000 levels are no matter of the stack', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(rootOf(text).end).toBe(200_000);
  });
});

describe('rows', () => {
  test('are those of what is open', () => {
    const rows = rowsOf('{"a":{"b":[1,2]},"c":"x"}');
    const top = rows.rowsOf(new Set([rows.rootId]));
    expect(top.map(({ depth, key, position, siblings }) => [depth, key, position, siblings])).toEqual([
      [0, undefined, 1, 1],
      [1, 'a', 1, 2],
      [1, 'c', 2, 2],
      [0, undefined, 1, 1],
    ]);
    const { opened, isWhole } = rows.openAll(firstRow(rows), new Set());
    expect(isWhole).toBe(true);
    expect(rows.rowsOf(opened).flatMap(({ path, isEnd }) => (isEnd ? [] : pathText('output', path)))).toEqual([
      'output',
      'output.a',
      'output.a.b',
      'output.a.b[0]',
      'output.a.b[1]',
      'output.c',
    ]);
  });

  test('of a long list come in groups', () => {
    const count = 2 * GROUP_SIZE + 5;
    const rows = rowsOf(JSON.stringify(Array.from({ length: count }, (_none, index) => index)));
    const groups = rows.rowsOf(new Set([rows.rootId])).slice(1, -1);
    expect(groups.map(({ group }) => group)).toEqual([
      [0, 999],
      [1000, 1999],
      [2000, 2004],
    ]);
    const last = rows.rowsOf(new Set([rows.rootId, groups[2]?.id ?? '']));
    expect(last.slice(-6, -1).map(({ path }) => path)).toEqual([[2000], [2001], [2002], [2003], [2004]]);
  });

  test('opened all at once stop at a bound and say so', () => {
    const rows = rowsOf(JSON.stringify(Array.from({ length: 900 }, () => [1, 2, 3])));
    const { opened, isWhole } = rows.openAll(firstRow(rows), new Set());
    expect(isWhole).toBe(false);
    expect(rows.rowsOf(opened).length).toBeLessThanOrEqual(2 * MAX_EXPANDED_ROWS + 2);
  });

  test('of what was found are on a way that can be opened', () => {
    const text = JSON.stringify({ list: Array.from({ length: 1500 }, (_none, index) => ({ n: `item ${index}` })) });
    const rows = rowsOf(text);
    const found = findInJson(text, rows.root, 'ITEM 1234');
    expect(found.offsets.length).toBe(1);
    const { open, id } = rows.wayTo(found.offsets[0] ?? 0);
    const row = rows.rowsOf(new Set(open)).find((each) => each.id === id);
    expect(row && pathText('$', row.path)).toBe('$.list[1234].n');
  });

  test('of a name that was found show that name', () => {
    const text = '{"a: \\"x":{"needle":1}}';
    const rows = rowsOf(text);
    const [at = 0] = findInJson(text, rows.root, 'needle').offsets;
    const { open, id } = rows.wayTo(at);
    expect(rows.rowsOf(new Set(open)).find((each) => each.id === id)?.key).toBe('needle');
  });
});

test('what is looked for is no pattern', () => {
  const text = JSON.stringify({ a: 'x.*"y"' });
  expect(findInJson(text, rootOf(text), '.*"y').offsets.length).toBe(1);
  expect(findInJson(text, rootOf(text), 'a.y').offsets.length).toBe(0);
});

test.each([
  [
    'begin …[cut: 123456 characters]',
    { kept: 'begin', said: 'cut: the original has 123,456 characters, the first 5 are kept' },
  ],
  ['…[5 more of 1005 items]', { kept: '', said: '5 more of 1,005 items, not recorded' }],
  ['[Circular]', { kept: '', said: 'contains itself here' }],
  ['<EXCEEDS_LIMITS>', { kept: '', said: 'not kept: too large for the service' }],
  ['[some text]', undefined],
])('the mark %j is told in words', (text, said) => {
  expect(cutMarkOf(text)).toEqual(said);
});

test('members that were left out are told in words', () => {
  expect(cutKeysOf('12 more of 2120 keys')).toBe('12 more of 2,120 keys, not recorded');
  expect(cutKeysOf('mine')).toBeUndefined();
});

test('characters that would turn or hide a text are shown by their number', () => {
  expect(showControls('a\u202egpj.exe\u200b\u0000\n\t')).toBe('a⟨U+202E⟩gpj.exe⟨U+200B⟩⟨U+0000⟩\n\t');
});

test('a stored file is recognised by what stands in its place', () => {
  const value = { _type: 'CustomType', svc_type: { type: 'PIL.Image.Image' }, files: { 'image.png': 'abc' }, size: 9 };
  expect(fileMarkerOf(value)).toMatchObject({ name: 'image.png', digest: 'abc', mediaType: 'image/png', size: 9 });
  expect(fileMarkerOf({ _type: 'CustomType', files: [] })).toBeUndefined();
  expect(fileMarkerOf({ files: { a: 'b' } })).toBeUndefined();
});
