import { type ReactNode, useState } from 'react';
import { JsonValue } from '../json/JsonValue.tsx';
import { LongText } from '../json/LongText.tsx';
import { countText } from '../json/size-text.ts';
import { Icon } from '../parts/Icon.tsx';
import type { ChatPart } from './chat.ts';
import styles from './chat.module.css';
import { MediaView } from './MediaView.tsx';
import { ToolCallView } from './ToolCallView.tsx';
import { ToolResultView } from './ToolResultView.tsx';

/** One part of a message. What nobody knows is shown as the JSON that it is. */
export function PartView({ part }: { readonly part: ChatPart }): ReactNode {
  switch (part.type) {
    case 'text':
      return <LongText text={part.text} name="message" />;
    case 'reasoning':
      return <Reasoning text={part.text} />;
    case 'refusal':
      return <Refusal text={part.text} />;
    case 'media':
      return <MediaView part={part} />;
    case 'tool_call':
      return <ToolCallView call={part} />;
    case 'tool_result':
      return <ToolResultView result={part} />;
    default:
      return <JsonValue value={part.value} label="part" />;
  }
}

/** Folded: it is long, and it is not the answer. */
function Reasoning({ text }: { readonly text: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (text === '') return <p className={styles['aside']}>Reasoning, which the provider keeps to itself</p>;
  return (
    <div>
      <button type="button" className={styles['reason']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} size={14} />
        Reasoning <span className={styles['small']}>{countText(text.length, 'character')}</span>
      </button>
      {isOpen && (
        <div className={styles['thought']}>
          <LongText text={text} name="reasoning" />
        </div>
      )}
    </div>
  );
}

function Refusal({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={styles['refusal']}>
      <b>Refused</b>
      <LongText text={text} name="refusal" isPlain />
    </div>
  );
}
