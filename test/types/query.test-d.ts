import type { Static } from '@sinclair/typebox';
import { expectTypeOf, test } from 'vitest';
import type { Expression } from '../../src/protocol/query.ts';

test('the written type of an expression is the one its schema implies', () => {
  expectTypeOf<Static<typeof Expression>>().toExtend<Expression>();
  expectTypeOf<Expression>().toExtend<Static<typeof Expression>>();
});
