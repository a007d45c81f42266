import { type ReactNode, useState } from 'react';
import { showControls } from '../json/show-controls.ts';
import { Icon, type IconName } from '../controls/signs/icon.tsx';
import type { ChatMessage } from './chat.ts';
import classes from './chat.module.css';
import { lengthOf, roleText, summaryOf } from './message-summary.ts';
import { PartView } from './part-view.tsx';

const ICONS: Readonly<Record<string, IconName>> = { user: 'person', assistant: 'spark', tool: 'wrench' };

export interface MessageViewProps {
  readonly message: ChatMessage;
  /** Instructions and old results begin folded. */
  readonly isFolded: boolean;
  /** Said beside the role: the model. */
  readonly note?: string | undefined;
}

export function MessageView({ message, isFolded, note }: MessageViewProps): ReactNode {
  const [isOpen, setOpen] = useState(!isFolded);
  const said = [message.name, note, message.isOutput ? 'output' : undefined].filter((text) => text !== undefined);
  if (!isOpen) return <FoldedMessage message={message} onOpen={() => setOpen(true)} />;
  return (
    <article className={classes.message} data-role={message.role}>
      <header>
        {isFolded ? (
          <button type="button" className={classes.fold} aria-label="Fold" onClick={() => setOpen(false)}>
            <Icon name="chevron-down" size={14} />
          </button>
        ) : (
          <Icon name={ICONS[message.role] ?? 'file'} size={14} />
        )}
        <b>{roleText(message)}</b>
        {said.length > 0 && <span>{showControls(said.join(' · '))}</span>}
        {message.finishReason !== undefined && message.isOutput && (
          <span className={classes.end}>{showControls(message.finishReason)}</span>
        )}
      </header>
      {message.parts.length === 0 && <p className={classes.aside}>says nothing</p>}
      {message.parts.map((part, index) => (
        // The parts of a message never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.part}>
          <PartView part={part} />
        </div>
      ))}
    </article>
  );
}

interface FoldedProps {
  readonly message: ChatMessage;
  readonly onOpen: () => void;
}

function FoldedMessage({ message, onOpen }: FoldedProps): ReactNode {
  return (
    <button type="button" className={classes.folded} aria-expanded={false} onClick={onOpen}>
      <Icon name="chevron-right" size={14} />
      <b>{roleText(message)}</b>
      <bdi className={classes.cutText}>{summaryOf(message)}</bdi>
      <span className={classes.end}>{lengthOf(message)}</span>
    </button>
  );
}
