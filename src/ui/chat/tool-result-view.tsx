import type { ReactNode } from 'react';
import { JsonValue } from '../json/json-value.tsx';
import { LongText } from '../json/long-text.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import type { ToolResultPart } from './chat.ts';
import classes from './chat.module.css';
import { MediaView } from './media-view.tsx';

/** The result of a tool, where its call is not in the conversation. */
export function ToolResultView({ result }: { readonly result: ToolResultPart }): ReactNode {
  return (
    <section className={classes.call} aria-label="Result of a tool">
      <div className={`${classes.result} ${result.isError ? classes.bad : ''}`}>
        <ResultParts result={result} />
      </div>
    </section>
  );
}

export function ResultParts({ result }: { readonly result: ToolResultPart }): ReactNode {
  const { parts, isError, name } = result;
  return (
    <>
      {isError && (
        <p className={classes.failed}>
          <StatusSign state="error" /> failed
        </p>
      )}
      {parts.length === 0 && <p className={classes.aside}>nothing came back</p>}
      {parts.map((part, index) => (
        // The parts of a result never change their order.
        // oxlint-disable-next-line react/no-array-index-key
        <ResultPart key={index} part={part} name={name ?? 'result'} />
      ))}
    </>
  );
}

function ResultPart({
  part,
  name,
}: {
  readonly part: ToolResultPart['parts'][number];
  readonly name: string;
}): ReactNode {
  if (part.type === 'media') return <MediaView part={part} />;
  if (part.type === 'text') return <LongText text={part.text} name={name} />;
  return <JsonValue value={part.type === 'other' ? part.value : part} label={name} />;
}
