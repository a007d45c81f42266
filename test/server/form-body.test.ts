import { expect, test } from 'vitest';
import { parseForm, textOfPart } from '../../src/server/http/body/form-body.ts';

const DISPOSITION = 'Content-Disposition: form-data; name="file"';

/** The parts of a form with the boundary `b`: `[name, file name, content]`. */
async function partsOf(...lines: readonly string[]): Promise<unknown[]> {
  const form = await parseForm(Buffer.from(lines.join('\r\n')), 'b');
  return Array.from(form, ([name, { filename, bytes }]) => [name, filename, bytes.toString()]);
}

test('parts come with their names, file names and contents', async () => {
  const text = ['--b', 'Content-Disposition: form-data; name="project_id"', '', 'acme/demo'];
  const file = ['--b', `${DISPOSITION}; filename="a.txt"`, 'Content-Type: text/plain', '', 'one', '', 'two'];
  expect(await partsOf(...text, ...file, '--b--', '')).toEqual([
    ['project_id', undefined, 'acme/demo'],
    ['file', 'a.txt', 'one\r\n\r\ntwo'],
  ]);
});

test('a part may be empty, and so may a form', async () => {
  expect(await partsOf('--b', DISPOSITION, '', '', '--b--')).toEqual([['file', undefined, '']]);
  expect(await partsOf('--b--')).toEqual([]);
});

test('what is before the first boundary and after the last is no part', async () => {
  expect(await partsOf('before', '--b', DISPOSITION, '', 'x', '--b--', DISPOSITION, '', 'y', '--b--')).toEqual([
    ['file', undefined, 'x'],
  ]);
});

test('a line that only begins like the boundary is content', async () => {
  expect(await partsOf('--b', DISPOSITION, '', '--bc', '--b-', '-b--', '--b--')).toEqual([
    ['file', undefined, '--bc\r\n--b-\r\n-b--'],
  ]);
  expect(await partsOf('--b \t', DISPOSITION, '', 'x', '--b--')).toEqual([['file', undefined, 'x']]);
});

test('a boundary may have blanks behind it, and a line of more of them is content', async () => {
  const part = [DISPOSITION, '', 'x', '--b--'];
  expect(await partsOf(`--b${' '.repeat(1000)}`, ...part)).toEqual([['file', undefined, 'x']]);
  const line = `--b${' '.repeat(20_000)}`;
  expect(await partsOf('--b', DISPOSITION, '', line, '--b--')).toEqual([['file', undefined, line]]);
});

test('of several parts with one name the last counts', async () => {
  expect(await partsOf('--b', DISPOSITION, '', 'x', '--b', DISPOSITION, '', 'y', '--b--')).toEqual([
    ['file', undefined, 'y'],
  ]);
});

test.each([
  ['filename="a;b=c.txt"', 'a;b=c.txt'],
  ['filename=plain.txt', 'plain.txt'],
  ['FileName = "x"', 'x'],
  ['filename="a%22b%0D%0a%20.txt"', 'a"b\r\n%20.txt'],
  ['filename="a\\"b.txt"', 'a"b.txt'],
  ['filename="C:\\dir\\x"', 'C:\\dir\\x'],
  ['filename="ü😀"', 'ü😀'],
  [`filename="x"; filename*=UTF-8''%C3%BC%20.bin`, 'ü .bin'],
  [`filename*=latin1''%FC; filename="x"`, 'x'],
  ['filename=""', ''],
])('the file name of %s is read', async (parameter, filename) => {
  expect(await partsOf('--b', `${DISPOSITION}; ${parameter}`, '', 'x', '--b--')).toEqual([['file', filename, 'x']]);
});

test.each([
  ['is empty', []],
  ['has no boundary', ['x', 'y']],
  ['ends within a part', ['--b', DISPOSITION, '', 'x']],
  ['has a part without headers', ['--b', 'x', '--b--']],
  ['has a part without a name', ['--b', 'Content-Disposition: form-data', '', 'x', '--b--']],
  ['has a part that is an attachment', ['--b', 'Content-Disposition: attachment; name="x"', '', 'x', '--b--']],
  ['has a part of nothing', ['--b', '--b--']],
  ['has a file name that is no UTF-8', ['--b', `${DISPOSITION}; filename*=UTF-8''%FF`, '', 'x', '--b--']],
  ['has headers without an end', ['--b', `${DISPOSITION}; filename="${'x'.repeat(20_000)}"`, '', 'x', '--b--']],
])('a form that %s is refused', async (_name, lines) => {
  await expect(partsOf(...lines)).rejects.toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('bytes of a part are what was sent, and a text has to be UTF-8', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const head = Buffer.from(`--b\r\n${DISPOSITION}\r\n\r\n`);
  const form = await parseForm(Buffer.concat([head, bytes, Buffer.from('\r\n--b--')]), 'b');
  const part = form.get('file');
  expect(part?.bytes.equals(bytes)).toBe(true);
  expect(() => part && textOfPart('file', part)).toThrow(/not UTF-8/);
});

test.each([101, 5000])('a form of %d parts is refused, whatever their names', async (count) => {
  const part = ['--b', DISPOSITION, '', 'x'];
  await expect(partsOf(...Array.from({ length: count }, () => part).flat(), '--b--')).rejects.toThrow(
    'it has more than 100 parts',
  );
});

test('others have their turns while a part of lines that begin like the boundary is read', async () => {
  let turns = 0;
  const counting = setInterval(() => (turns += 1));
  await partsOf('--b', DISPOSITION, '', '--bc\r\n'.repeat(500_000), '--b--');
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
});
