// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { asCommand, asProgram } from '../../../src/ui/compare/head/copied-forms.ts';

test('a comparison is copied as a command and as a program', () => {
  const side = { firstId: 'x', name: 'x', op: 'x', kind: 'other', startedAt: 0 };
  const sides = {
    a: { ...side, id: 'one', traceId: 'one' },
    b: { ...side, id: 'call', traceId: 'two', callId: 'call' },
  };
  expect(asCommand("acme/it's", sides)).toBe(`npx spoor diff one call --project 'acme/it'\\''s'`);
  expect(asProgram('acme/demo', sides)).toContain('[{ trace_id: "one" }, { trace_id: "two", call_id: "call" }]');
});
