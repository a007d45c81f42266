import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { Chat, ChatMessage, ChatPart, ToolDefinition } from '../../../src/ui/chat/chat.ts';
import { ChatView } from '../../../src/ui/chat/chat-view.tsx';

afterEach(cleanup);

function show(chat: Partial<Chat>): HTMLElement {
  render(<ChatView chat={{ messages: [], tools: [], settings: [], ...chat }} />);
  return screen.getByRole('log', { name: 'Messages' });
}

function says(role: string, ...parts: (string | ChatPart)[]): ChatMessage {
  const told = parts.map((part): ChatPart => (typeof part === 'string' ? { type: 'text', text: part } : part));
  return { role, name: undefined, parts: told, isOutput: false, finishReason: undefined };
}

const USER = says('user', 'Where is it?');

/** What stands in the conversation, from above: texts of messages, and names of buttons. */
function lines(log: HTMLElement): string[] {
  return [...log.children].map(({ textContent }) => textContent);
}

describe('the reasoning of a model', () => {
  const thought = 'The parcel left the depot on Monday.';

  test('is folded to its length, opens by a press, and folds again', () => {
    const log = show({ messages: [USER, says('assistant', { type: 'reasoning', text: thought }, 'On its way')] });
    const button = within(log).getByRole('button', { name: `Reasoning ${thought.length} characters` });
    expect([button.getAttribute('aria-expanded'), log.textContent.includes(thought)]).toEqual(['false', false]);
    expect(log.textContent).toContain('On its way');
    fireEvent.click(button);
    expect([button.getAttribute('aria-expanded'), log.textContent.includes(thought)]).toEqual(['true', true]);
    fireEvent.click(button);
    expect([button.getAttribute('aria-expanded'), log.textContent.includes(thought)]).toEqual(['false', false]);
  });

  test('that the provider keeps to itself is said, and is nothing to open', () => {
    const log = show({ messages: [says('assistant', { type: 'reasoning', text: '' }, 'On its way')] });
    expect(log.textContent).toContain('Reasoning, which the provider keeps to itself');
    expect(within(log).queryByRole('button')).toBeNull();
  });
});

describe('the tools of a model', () => {
  const tool = (name: string): ToolDefinition => ({
    name,
    description: `What ${name} does`,
    value: { parameters: { of: name } },
  });

  test('are one line with their names and their number behind the instructions, and open to what each takes', () => {
    const tools = ['search', 'read', 'send_email', 'wait', 'stop'].map(tool);
    const log = show({ messages: [says('system', 'Be brief.'), USER], tools });
    const button = within(log).getByRole('button', { name: /^Tools/ });
    expect(lines(log)).toEqual([
      expect.stringContaining('Be brief.'),
      'Toolssearch, read, send_email + 25',
      expect.stringContaining('Where is it?'),
    ]);
    expect(within(log).queryByRole('list')).toBeNull();
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    const items = within(log)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(items).toEqual(
      ['search', 'read', 'send_email', 'wait', 'stop'].map((name) =>
        expect.stringMatching(new RegExp(`^${name}What ${name} does.*"of".*"${name}"`, 's')),
      ),
    );
    fireEvent.click(button);
    expect(within(log).queryByRole('list')).toBeNull();
  });

  test('stand first where there are no instructions, and nowhere where there are no tools', () => {
    const log = show({ messages: [USER], tools: [tool('search')] });
    expect(lines(log).findIndex((line) => line.startsWith('Tools'))).toBeGreaterThanOrEqual(0);
    cleanup();
    expect(within(show({ messages: [USER] })).queryByRole('button')).toBeNull();
  });

  test('are told also where the instructions are longer than what is shown of the beginning', () => {
    const instructions = [1, 2, 3, 4].map((number) => says('system', `Rule ${number}`));
    const talk = Array.from({ length: 8 }, (_, index) => says('user', `Question ${index}`));
    const log = show({ messages: [...instructions, ...talk], tools: [tool('search')] });
    expect(lines(log).slice(0, 4)).toEqual([
      expect.stringContaining('Rule 1'),
      expect.stringContaining('Rule 2'),
      'Toolssearch1',
      '4 messages betweenshow',
    ]);
  });
});

describe('of a long conversation', () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, index) => says(index % 2 === 0 ? 'user' : 'assistant', `word ${index + 1}.`));
  const shown = (log: HTMLElement) =>
    within(log)
      .getAllByRole('article')
      .map(({ textContent }) => Number(/word (\d+)\./.exec(textContent)?.[1]));

  test('the middle is one line with the number of its messages, and opens by a press', () => {
    const log = show({ messages: talk(12) });
    expect(shown(log)).toEqual([1, 2, 7, 8, 9, 10, 11, 12]);
    fireEvent.click(within(log).getByRole('button', { name: /^4 messages between/ }));
    expect(shown(log)).toEqual(talk(12).map((_, index) => index + 1));
    expect(within(log).queryByRole('button', { name: /between/ })).toBeNull();
  });

  test('what the middle hides is more than one message', () => {
    expect(shown(show({ messages: talk(9) }))).toHaveLength(9);
    cleanup();
    expect(shown(show({ messages: talk(10) }))).toEqual([1, 2, 5, 6, 7, 8, 9, 10]);
    screen.getByRole('button', { name: /^2 messages between/ });
  });
});

test('instructions and results without their calls are folded to a line with their length, and open by a press', () => {
  const log = show({ messages: [says('system', 'Be brief.'), USER, says('tool', 'snow')] });
  const system = within(log).getByRole('button', { name: /^System/ });
  expect([system.textContent, system.getAttribute('aria-expanded')]).toEqual(['SystemBe brief.9 chars', 'false']);
  expect(within(log).getByRole('button', { name: /^Tool result/ }).textContent).toBe('Tool resultsnow4 chars');
  fireEvent.click(system);
  expect(within(log).getAllByRole('article')[0]?.textContent).toBe('SystemBe brief.');
  fireEvent.click(within(log).getByRole('button', { name: 'Fold' }));
  expect(within(log).getByRole('button', { name: /^System/ })).toBeTruthy();
});

test('the settings of a request are a list', () => {
  const log = show({
    messages: [USER],
    settings: [
      { name: 'temperature', value: 0.2 },
      { name: 'stream', value: false },
      { name: 'stop', value: ['END'] },
    ],
  });
  expect(within(log).getByText('temperature').nextElementSibling?.textContent).toBe('0.2');
  expect(within(log).getByText('stream').nextElementSibling?.textContent).toBe('false');
  expect(within(log).getByText('stop').nextElementSibling?.textContent).toContain('"END"');
});
