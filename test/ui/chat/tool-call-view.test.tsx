import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { ToolCallPart } from '../../../src/ui/chat/chat.ts';
import { type ToolCallPlace, ToolCallPlaceContext } from '../../../src/ui/chat/tool-call-place.ts';
import { ToolCallView } from '../../../src/ui/chat/tool-call-view.tsx';

afterEach(cleanup);

const CALL: ToolCallPart = { type: 'tool_call', id: 'c', name: 'send_email', input: { to: 'a@b' }, result: undefined };

function textOf(call: ToolCallPart, place: ToolCallPlace | undefined): string | null {
  render(
    <ToolCallPlaceContext value={() => place}>
      <ToolCallView call={call} />
    </ToolCallPlaceContext>,
  );
  return screen.getByRole('region', { name: 'Call of send_email' }).textContent;
}

test('a tool that threw says so below what it was given, and leads to its call', () => {
  const place = { href: '/trace', error: 'SMTPError: 550 mailbox unavailable' };
  expect(textOf(CALL, place)).toMatch(/"to".*SMTPError.*550 mailbox unavailable$/s);
  expect(screen.getByRole('link', { name: 'go to call' }).getAttribute('href')).toBe('/trace');
});

test('what came back to the model stands alone: the error is told in it', () => {
  const result = { type: 'tool_result', parts: [{ type: 'text', text: 'no mailbox' }], isError: true } as const;
  const text = textOf(
    { ...CALL, result: { ...result, id: 'c', name: 'send_email' } },
    { href: undefined, error: 'SMTPError: 550' },
  );
  expect(text).toContain('no mailbox');
  expect(text).not.toContain('SMTPError');
});

test('a tool of which nothing is known shows what it was given', () => {
  expect(textOf(CALL, undefined)).not.toContain('Error');
});
