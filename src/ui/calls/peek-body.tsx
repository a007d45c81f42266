import type { ReactElement, ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { Failure } from '../controls/failure.tsx';
import { StatusSign } from '../controls/status-sign.tsx';
import { useToast } from '../controls/toast.tsx';
import type { CallRow } from '../data/answers.ts';
import { useCall } from '../data/call.ts';
import { formatBytes } from '../format/bytes.ts';
import classes from './peek-body.module.css';

export interface PeekBodyProps {
  readonly project: string;
  readonly row: CallRow;
}

/** What went in and came out, as far as one reads in a panel. */
export function PeekBody({ project, row }: PeekBodyProps): ReactElement {
  const { data: call, error, refetch } = useCall(project, row.id);
  if (error !== null) return <Failure what="The call could not be read" error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.body}>
      {row.state === 'error' && (
        <section className={classes.error}>
          <StatusSign state="error" word={row.error_type} />
          <pre>{call?.exception ?? row.error}</pre>
        </section>
      )}
      <Value name="Input" value={call?.inputs} note={call === undefined ? 'reading…' : undefined} />
      <Value
        name="Output"
        value={call?.output ?? undefined}
        note={row.state === 'error' ? 'none: the call threw' : row.ended_at === null ? 'not yet' : 'none'}
      />
      <Value name="Attributes" value={call?.attributes} note="none" />
    </div>
  );
}

/** More is seen in the trace. */
const SHOWN_CHARACTERS = 2000;

interface ValueProps {
  readonly name: string;
  readonly value: unknown;
  readonly note: ReactNode;
}

function Value({ name, value, note }: ValueProps): ReactElement {
  const toast = useToast();
  const text =
    value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  const copy = async () => {
    await navigator.clipboard.writeText(text ?? '');
    toast({ text: `${name} copied` });
  };
  return (
    <section className={classes.value}>
      <header>
        <h3>{name}</h3>
        <span className="num-s faint grow">{text === undefined ? note : formatBytes(new Blob([text]).size)}</span>
        {text !== undefined && <IconButton icon="copy" label={`Copy ${name}`} isSmall onClick={() => void copy()} />}
      </header>
      {text !== undefined && <pre>{text.slice(0, SHOWN_CHARACTERS)}</pre>}
      {text !== undefined && text.length > SHOWN_CHARACTERS && (
        <p className="faint">first {formatBytes(SHOWN_CHARACTERS)} shown; kept whole</p>
      )}
    </section>
  );
}
