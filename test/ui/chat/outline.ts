import type { Chat, ChatPart } from '../../../src/ui/chat/chat.ts';
import { chatOf, type RecordedChat } from '../../../src/ui/chat/chat-of.ts';

/** A chat in lines: who says what, with calls of tools and what they gave back. */
export function outlineOf(recorded: Partial<RecordedChat>): string[] | undefined {
  const chat = readChat(recorded);
  return chat?.messages.map(({ role, parts }) => `${role}: ${parts.map(partOutline).join(' | ')}`);
}

/** The chat of a record after it went over the wire. */
export function readChat(recorded: Partial<RecordedChat>): Chat | undefined {
  const whole = { kind: 'llm', attributes: {}, inputs: {}, output: null, ...recorded };
  return chatOf(JSON.parse(JSON.stringify(whole)) as RecordedChat);
}

function partOutline(part: ChatPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'tool_call': {
      const result = part.result === undefined ? '' : ` = ${part.result.parts.map(partOutline).join(' ')}`;
      return `${part.name}(${JSON.stringify(part.input)})${result}${part.result?.isError === true ? ' failed' : ''}`;
    }
    case 'tool_result':
      return `result ${part.parts.map(partOutline).join(' ')}`;
    case 'media':
      return `<${part.mediaType ?? '?'} ${part.source.from}>`;
    case 'other':
      return JSON.stringify(part.value);
    default:
      return `${part.type} ${part.text}`;
  }
}
