import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstPart, splitPath } from '../../../src/server/query/plan/field-path.ts';

const paths = fc
  .array(fc.constantFrom('a', 'b', '.', '\\', '0', '\\.'), { maxLength: 12 })
  .map((parts) => parts.join(''));

test.each([
  ['a.b', ['a', 'b']],
  [String.raw`a\.b.c`, ['a.b', 'c']],
  ['a..b', ['a', '', 'b']],
  ['.', ['', '']],
  ['', ['']],
])('the path %j has the parts %j', (path, parts) => {
  expect(splitPath(path)).toEqual(parts);
});

test('the first part of any path is the first of all parts', () => {
  fc.assert(
    fc.property(paths, (path) => {
      const [part, ...rest] = splitPath(path);
      expect(firstPart(path)).toEqual({ part, isAll: rest.length === 0 });
    }),
  );
});
