import { expect, test } from 'vitest';
import {
  fileLine,
  headerLine,
  objectLine,
  parseHeader,
  parseRecord,
  runIn,
  tableLine,
  type SegmentTarget,
} from '../../src/spool/segment-format.ts';

test.each<SegmentTarget>([
  { url: null, project: 'local/a' },
  { url: 'https://traces.example.com/base', project: 'acme/b' },
])('a header names its target %j', (target) => {
  expect(parseHeader(headerLine(target))).toEqual(target);
});

test('a header names the run of what is behind it', () => {
  const target = { url: null, project: 'local/a' };
  expect(runIn(headerLine(target, 'id=p0f3c9a1b2c3d4e5f'))).toBe('id=p0f3c9a1b2c3d4e5f');
  expect(parseHeader(headerLine(target, 'id=p0f3c9a1b2c3d4e5f'))).toEqual(target);
  // As older programs have written it.
  expect(headerLine(target)).toBe('{"format":1,"target":{"url":null,"project":"local/a"}}\n');
  expect(runIn(headerLine(target))).toBeUndefined();
});

test.each(['', '{', '{}', '{"format":2,"target":{"url":null,"project":"a/b"}}', '{"format":1,"target":{"url":5}}'])(
  '%j is no header',
  (line) => {
    expect(parseHeader(line)).toBeUndefined();
  },
);

test('an item of a batch is read as it was written, number tokens included', () => {
  const text = '{"mode":"end","req":{"end":{"id":"c1","output":12345678901234567890.0}}}';
  expect(parseRecord(text)).toEqual({ kind: 'call', text });
});

test('a file keeps its bytes', () => {
  const file = { projectId: 'local/a', name: 'obj.ts', digest: 'd', bytes: Buffer.from([0, 10, 255]) };
  expect(parseRecord(fileLine(file))).toEqual({ kind: 'file', file });
});

test('a file that belongs to no object says so', () => {
  const file = { projectId: 'local/a', name: 'a.png', digest: 'd', bytes: Buffer.from([1]) };
  expect(parseRecord(fileLine(file, { isAlone: true }))).toEqual({ kind: 'file', file, isAlone: true });
  expect(parseRecord(fileLine(file))).not.toHaveProperty('isAlone');
});

test('a piece of a table keeps its rows and what it builds on', () => {
  const piece = { projectId: 'local/a', base: 'b', digest: 'd', isLast: true };
  const line = tableLine(piece, ['{"n":1}', '{"text":"x\\n"}']);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(parseRecord(line)).toEqual({ kind: 'table', table: { ...piece, rows: [{ n: 1 }, { text: 'x\n' }] } });
  const whole = { projectId: 'local/a', digest: 'd', isLast: false };
  expect(parseRecord(tableLine(whole, []))).toEqual({ kind: 'table', table: { ...whole, rows: [] } });
});

test('an object is written without its files', () => {
  const object = { projectId: 'local/a', objectId: 'o', val: { a: [1, 'x\n'] }, digest: 'd' };
  const files = [{ projectId: 'local/a', name: 'n', digest: 'f', bytes: Buffer.from('x') }];
  const line = objectLine(Object.assign({ files }, object));
  expect(parseRecord(line)).toEqual({ kind: 'object', object });
});

const damaged = [
  '',
  '{"mode":',
  '17',
  'null',
  '{"kind":"other"}',
  '{"kind":"file"}',
  '{"kind":"file","file":{}}',
  '{"kind":"file","file":{"projectId":"local/a","name":"n","digest":"d"}}',
  '{"kind":"table","table":{"projectId":"local/a","digest":"d","isLast":true}}',
  '{"kind":"table","table":{"projectId":"local/a","base":5,"digest":"d","rows":[]}}',
  '{"kind":"object","object":3}',
  '{"kind":"object","object":{"projectId":"local/a","objectId":"o","digest":"d"}}',
];
test.each(damaged)('%j is a damaged line', (line) => {
  expect(parseRecord(line)).toBeUndefined();
});
