import { type ReactNode, useState } from 'react';
import { JsonValue } from '../json/json-value.tsx';
import { LongText } from '../json/long-text.tsx';
import { countOf } from '../format/count.ts';
import { Icon } from '../controls/signs/icon.tsx';
import type { ChatPart } from './chat.ts';
import classes from './chat.module.css';
import { MediaView } from './media-view.tsx';
import { ToolCallView } from './tool-call-view.tsx';
import { ToolResultView } from './tool-result-view.tsx';

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
  if (text === '') return <p className={classes.aside}>Reasoning, which the provider keeps to itself</p>;
  return (
    <div>
      <button type="button" className={classes.reason} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        Reasoning <span className={classes.small}>{countOf(text.length, 'character')}</span>
      </button>
      {isOpen && (
        <div className={classes.thought}>
          <LongText text={text} name="reasoning" />
        </div>
      )}
    </div>
  );
}

function Refusal({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={classes.refusal}>
      <b>Refused</b>
      <LongText text={text} name="refusal" isPlain />
    </div>
  );
}
