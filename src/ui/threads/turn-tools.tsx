import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { callPath } from '../address/paths.ts';
import { Icon } from '../controls/signs/icon.tsx';
import { KindBox } from '../controls/signs/kind-box.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import type { CallRow } from '../data/answers.ts';
import { useCallsOfTurn } from '../data/threads.ts';
import { countOf, formatCount } from '../format/count.ts';
import { formatLatency, latencyText } from '../format/latency.ts';
import { givenText } from '../format/preview.ts';
import { JsonLineText } from '../json/json-line-text.tsx';
import { showControls } from '../json/show-controls.ts';
import classes from './turn-tools.module.css';

const NOTHING: Readonly<{ rows: readonly CallRow[]; isCut: boolean }> = { rows: [], isCut: false };

/** Of more the rest is counted: they are in the trace. */
const MOST_SHOWN = 8;

export interface TurnToolsProps {
  readonly project: string;
  readonly turnId: string;
}

/** The work of tools for an answer, between it and the question: of each what it was given and what it gave back, in short. */
export function TurnTools({ project, turnId }: TurnToolsProps): ReactElement | null {
  const { rows: calls, isCut } = useCallsOfTurn(project, turnId).data ?? NOTHING;
  const tools = calls.filter(({ kind }) => kind === 'tool');
  if (tools.length === 0) return null;
  const names = [...new Set(tools.map(({ name }) => name))];
  return (
    <section className={classes.tools} aria-label="Tool calls">
      <header>
        <Icon name="wrench" size={14} />
        <b>{isCut ? `${formatCount(tools.length)}+ tool calls` : countOf(tools.length, 'tool call')}</b>
        <span className="cut">{showControls(names.join(', '))}</span>
      </header>
      {tools.slice(0, MOST_SHOWN).map((call) => (
        <Tool key={call.id} project={project} call={call} />
      ))}
      {tools.length > MOST_SHOWN && <p className="faint">{tools.length - MOST_SHOWN} more</p>}
    </section>
  );
}

function Tool({ project, call }: { readonly project: string; readonly call: CallRow }): ReactElement {
  const { name, input } = call;
  return (
    <div className={classes.tool}>
      <div className={classes.head}>
        <KindBox kind="tool" />
        <Link href={callPath(project, call.trace_id, call.id)}>
          <bdi>{showControls(name)}</bdi>
        </Link>
        {input !== null && <bdi className="num-s muted cut grow">{showControls(givenText(input))}</bdi>}
        <span className="num-s muted">{latencyText(call, formatLatency, '…')}</span>
      </div>
      <Result call={call} />
    </div>
  );
}

/** The answer of a tool; an error instead of it, or why it is not there. */
function Result({ call: { state, error, output } }: { readonly call: CallRow }): ReactElement | null {
  if (state === 'error') {
    return (
      <div className={`${classes.result} ${classes.bad}`}>
        <StatusSign state="error" word={showControls(error ?? 'failed')} />
      </div>
    );
  }
  if (state === 'running' || state === 'never_ended') {
    return (
      <div className={classes.result}>
        <StatusSign state={state} />
      </div>
    );
  }
  if (output === null) return null;
  return (
    <div className={`${classes.result} cut`} title={showControls(output)}>
      <bdi>
        <JsonLineText text={output} />
      </bdi>
    </div>
  );
}
