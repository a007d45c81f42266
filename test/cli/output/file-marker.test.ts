import { expect, test } from 'vitest';
import { fieldLines } from '../../../src/cli/output/value.ts';

const DIGEST = 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc';
const PNG = {
  _type: 'CustomType',
  svc_type: { type: 'PIL.Image.Image' },
  files: { 'image.png': DIGEST },
  media_type: 'image/png',
  size: 300_008,
};

test('a file inside of a value is told in a line', () => {
  expect(fieldLines('inputs', { image: PNG, n: 1 })).toEqual([
    'inputs:',
    '  {',
    `    "image": "[image.png: image/png, 300,008 bytes, file ${DIGEST}]",`,
    '    "n": 1',
    '  }',
  ]);
});

test('a value that is a file is told with its own name', () => {
  expect(fieldLines('output', { ...PNG, name: 'holiday.png' })).toEqual([
    `output: [holiday.png: image/png, 300,008 bytes, file ${DIGEST}]`,
  ]);
});

test('a long text shows how it begins', () => {
  const text = { ...PNG, files: { 'text.txt': DIGEST }, media_type: 'text/plain', size: undefined };
  const [line = ''] = fieldLines('output', { ...text, characters: 200_000, preview: 'Once upon a time '.repeat(100) });
  expect(line).toMatch(/^output: \[text\.txt: text\/plain, 200,000 characters, file .{43}\] Once upon a time/);
  expect(line.length).toBeLessThan(400);
});

test('a file whose content was not read in time says so', () => {
  expect(fieldLines('output', { ...PNG, files: {}, _class: 'Blob' })).toEqual([
    'output: [Blob: image/png, 300,008 bytes, content not recorded]',
  ]);
});

test('other values of the same kind are shown as they are', () => {
  expect(fieldLines('output', { _type: 'CustomType', files: null })).toEqual([
    'output: {"_type":"CustomType","files":null}',
  ]);
});
