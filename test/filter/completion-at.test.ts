import { expect, test } from 'vitest';
import { completionAt } from '../../src/filter/completion-at.ts';

/** The completion at the bar in a text. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  return completionAt(marked.slice(0, caret) + marked.slice(caret + 1), caret);
}

test.each([
  ['|', { kind: 'field', prefix: '', span: { offset: 0, length: 0 } }],
  ['a |', { kind: 'field', prefix: '', span: { offset: 2, length: 0 } }],
  ['(|', { kind: 'field', prefix: '', span: { offset: 1, length: 0 } }],
  ['st|', { kind: 'field', prefix: 'st', span: { offset: 0, length: 2 } }],
  ['a -st|at', { kind: 'field', prefix: 'st', span: { offset: 3, length: 4 } }],
  ['token|:5', { kind: 'field', prefix: 'token', span: { offset: 0, length: 5 } }],
  ['tokens|', { kind: 'field', field: { field: 'tokens' }, prefix: 'tokens', span: { offset: 0, length: 6 } }],
  [
    'attr.ten|',
    { kind: 'field', field: { field: 'attr', path: 'ten' }, prefix: 'attr.ten', span: { offset: 0, length: 8 } },
  ],
  ['cost|', { kind: 'operator', field: { field: 'cost' }, prefix: '', span: { offset: 4, length: 0 } }],
  ['cost>|=5', { kind: 'operator', field: { field: 'cost' }, prefix: '>=', span: { offset: 4, length: 2 } }],
  ['op:|', { kind: 'value', field: { field: 'op' }, prefix: '', span: { offset: 3, length: 0 } }],
  ['op:an|swer b', { kind: 'value', field: { field: 'op' }, prefix: 'an', span: { offset: 3, length: 6 } }],
  ['op:a,|', { kind: 'value', field: { field: 'op' }, prefix: '', span: { offset: 5, length: 0 } }],
  [
    'attr.a:"x y|',
    { kind: 'value', field: { field: 'attr', path: 'a' }, prefix: 'x y', span: { offset: 7, length: 4 } },
  ],
  ['stats:er|', undefined],
  ['"op:a|"', undefined],
])('at %s it is %o', (marked, expected) => {
  expect(at(marked)).toEqual(expected);
});
