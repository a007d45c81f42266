import { expect, test } from 'vitest';
import type { ToolCallPart } from '../../../src/ui/chat/chat.ts';
import { toolCallOf } from '../../../src/ui/trace/tree/tool-call-of.ts';
import { skeletonOf } from './skeletons.ts';

const asked = (name: string): ToolCallPart => ({ type: 'tool_call', id: 'x', name, input: {}, result: undefined });
const answered = (name: string): ToolCallPart => ({
  ...asked(name),
  result: { type: 'tool_result', id: 'x', name, isError: false, parts: [] },
});

/** An agent that asks twice, and each time searches. */
const agent = skeletonOf([
  { op: 'agent' },
  { op: 'chat', kind: 'llm', parent: 0 },
  { op: 'search', kind: 'tool', parent: 0 },
  { op: 'chat', kind: 'llm', parent: 0 },
  { op: 'search', kind: 'tool', parent: 0 },
  { op: 'mail', kind: 'tool', parent: 0 },
]);

test('what a model asks for is the call of that name before the next answer', () => {
  expect(toolCallOf(agent, 1, asked('search'))).toBe(2);
  expect(toolCallOf(agent, 3, asked('search'))).toBe(4);
  expect(toolCallOf(agent, 3, asked('mail'))).toBe(5);
});

test('what has its result in the conversation was called before', () => {
  expect(toolCallOf(agent, 3, answered('search'))).toBe(2);
});

test('none leads to nothing, and of several nobody knows which', () => {
  expect(toolCallOf(agent, 1, asked('mail'))).toBeUndefined();
  const both = skeletonOf([{ op: 'chat', kind: 'llm' }, { op: 'search' }, { op: 'search' }]);
  expect(toolCallOf(both, 0, asked('search'))).toBeUndefined();
});
