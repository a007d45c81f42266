import { type ReactNode, useState } from 'react';
import { countOf } from '../format/count.ts';
import { Icon } from '../controls/signs/icon.tsx';
import type { Chat, ChatMessage } from './chat.ts';
import classes from './chat.module.css';
import { MessageView } from './message-view.tsx';
import { SettingList } from './setting-list.tsx';
import { ToolList } from './tool-list.tsx';

/** Of longer conversations the middle is folded: what was asked first and what was said last tells most. */
const SHOWN_FIRST = 2;
const SHOWN_LAST = 6;

export function ChatView({ chat }: { readonly chat: Chat }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const { first, hidden, last } = isWhole ? { first: chat.messages, hidden: 0, last: [] } : foldMiddle(chat.messages);
  const instructions = chat.messages.findIndex(({ role }) => role !== 'system');
  // Behind the instructions, or behind as many of them as are shown.
  const before = Math.min(Math.max(instructions, 0), first.length);
  return (
    <div className={classes.chat} role="log" aria-label="Messages">
      {first.map((message, index) => (
        <Positioned key={keyOf(index)} message={message}>
          {index + 1 === before && <ToolList tools={chat.tools} />}
        </Positioned>
      ))}
      {before === 0 && <ToolList tools={chat.tools} />}
      {hidden > 0 && (
        <button type="button" className={classes.folded} onClick={() => setWhole(true)}>
          <Icon name="unfold" size={14} />
          <span>{countOf(hidden, 'message')} between</span>
          <span className={classes.end}>show</span>
        </button>
      )}
      {last.map((message, index) => (
        <Positioned key={keyOf(first.length + hidden + index)} message={message} />
      ))}
      <SettingList settings={chat.settings} />
    </div>
  );
}

interface PositionedProps {
  readonly message: ChatMessage;
  readonly children?: ReactNode;
}

function Positioned({ message, children }: PositionedProps): ReactNode {
  return (
    <>
      <MessageView message={message} isFolded={message.role === 'system' || message.role === 'tool'} />
      {children}
    </>
  );
}

/** A conversation only grows at its end. */
function keyOf(index: number): string {
  return `message ${index}`;
}

export interface FoldedMessages {
  readonly first: readonly ChatMessage[];
  readonly hidden: number;
  readonly last: readonly ChatMessage[];
}

/** The first messages of a conversation and the last ones, with how many lie between. */
export function foldMiddle(messages: readonly ChatMessage[]): FoldedMessages {
  const hidden = messages.length - SHOWN_FIRST - SHOWN_LAST;
  // To hide one message takes as much room as to show it.
  if (hidden < 2) return { first: messages, hidden: 0, last: [] };
  return { first: messages.slice(0, SHOWN_FIRST), hidden, last: messages.slice(-SHOWN_LAST) };
}
