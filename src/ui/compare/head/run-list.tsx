import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { formatObjectRef } from '../../../protocol/ref.ts';
import { isObjectId } from '../../../protocol/values/id.ts';
import { callPath, paths } from '../../address/paths.ts';
import { Button } from '../../controls/button.tsx';
import { LinkButton } from '../../controls/link-button.tsx';
import { StatusSign } from '../../controls/signs/status-sign.tsx';
import type { CallRow } from '../../data/answers.ts';
import { newestPage } from '../../data/call-rows.ts';
import { latencyText } from '../../format/latency.ts';
import { formatInstant, formatTime } from '../../format/time.ts';
import { showControls } from '../../json/show-controls.ts';
import type { ShownSide } from '../answer/answer.ts';
import type { SidePickProps } from './side-pick.tsx';
import classes from './side-pick.module.css';

type RunListProps = Omit<SidePickProps, 'asked'>;

/** Runs of the same op, and a field for the id of anything else. */
export function RunList({ project, side, shown, other, onChoose }: RunListProps): ReactElement {
  const [id, setId] = useState('');
  const like = shown ?? other;
  return (
    <div className={classes.list}>
      <form
        className={classes.id}
        onSubmit={(event) => {
          event.preventDefault();
          if (id.trim() !== '') onChoose(id.trim());
        }}
      >
        <input
          type="text"
          value={id}
          placeholder="Id of a call or a trace"
          aria-label={`Id of a call or a trace for ${side.toUpperCase()}`}
          spellCheck={false}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
        />
        <Button type="submit" disabled={id.trim() === ''}>
          Show
        </Button>
        {shown !== undefined && (
          <LinkButton icon="open" href={hrefOf(project, shown)}>
            Trace
          </LinkButton>
        )}
      </form>
      {like !== undefined && <Runs project={project} like={like} shown={shown} onChoose={onChoose} />}
    </div>
  );
}

function hrefOf(project: string, { traceId, callId }: ShownSide): string {
  return callId === undefined ? paths.trace(project, traceId) : callPath(project, traceId, callId);
}

interface RunsProps extends Pick<RunListProps, 'project' | 'shown' | 'onChoose'> {
  /** Of its op, and as it: whole traces, or calls anywhere. */
  readonly like: ShownSide;
}

const MAX_RUNS = 20;

function Runs({ project, like, shown, onChoose }: RunsProps): ReactElement {
  const isOfTraces = like.callId === undefined;
  const { data: runs, error } = useQuery({
    queryKey: ['runs of', project, like.op, isOfTraces],
    staleTime: 0,
    queryFn: async () =>
      (
        await newestPage(
          { project_id: project, filter: { op_names: anyVersionOf(project, like.op) }, roots_only: isOfTraces },
          MAX_RUNS,
        )
      ).rows,
  });
  return (
    <section>
      <h2>Runs of {showControls(like.op)}, the newest first</h2>
      {error !== null && <p className={classes.none}>They could not be read: {error.message}</p>}
      {runs?.map((row) => (
        <Run
          key={row.id}
          row={row}
          isShown={shown !== undefined && (row.id === shown.firstId || row.id === shown.callId)}
          onChoose={() => onChoose(isOfTraces ? row.trace_id : row.id)}
        />
      ))}
    </section>
  );
}

interface RunProps {
  readonly row: CallRow;
  readonly isShown: boolean;
  readonly onChoose: () => void;
}

function Run({ row, isShown, onChoose }: RunProps): ReactElement {
  const startedAt = Date.parse(row.started_at);
  return (
    <button
      type="button"
      className={classes.run}
      disabled={isShown}
      title={formatInstant(startedAt)}
      onClick={onChoose}
    >
      <span className="num">{formatTime(startedAt, Date.now())}</span>
      <StatusSign state={row.state} word={isShown ? 'shown' : row.error_type && showControls(row.error_type)} />
      <span className="num">{latencyText(row)}</span>
    </button>
  );
}

/** An op is recorded under its plain name, or as a reference to any of its versions. */
function anyVersionOf(project: string, op: string): string[] {
  return isObjectId(op) ? [op, formatObjectRef(project, 'op', op, '*')] : [op];
}
