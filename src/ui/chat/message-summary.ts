import { showControls } from '../json/show-controls.ts';
import { countOf } from '../format/count.ts';
import type { ChatMessage, ChatPart } from './chat.ts';

const ROLES: Readonly<Record<string, string>> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool result',
};

export function roleText({ role }: Pick<ChatMessage, 'role'>): string {
  return ROLES[role] ?? showControls(role);
}

/** More of a message is not seen in one line. */
const LONGEST = 200;

/** A folded message in a line. */
export function summaryOf({ parts }: Pick<ChatMessage, 'parts'>): string {
  const told = parts.map(partText).filter((text) => text !== '');
  return showControls(told.join(' · ').slice(0, LONGEST).toWellFormed().replace(/\s+/g, ' '));
}

function partText(part: ChatPart): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.slice(0, LONGEST);
    case 'reasoning':
      return '';
    case 'media':
      return part.mediaType ?? 'file';
    case 'tool_call':
      return `${part.name}(…)`;
    case 'tool_result':
      return `${part.name ?? 'result'} → ${part.parts.map(partText).join(' ')}`;
    default:
      return 'data';
  }
}

/** How long a message is, beside its line. */
export function lengthOf({ parts }: Pick<ChatMessage, 'parts'>): string {
  const length = parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  return length === 0 ? '' : countOf(length, 'char');
}
