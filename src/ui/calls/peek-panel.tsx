import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { callPath } from '../address/paths.ts';
import { IconButton } from '../controls/button.tsx';
import { type Fact, Facts } from '../controls/facts.tsx';
import { Failure } from '../controls/failure.tsx';
import { Icon } from '../controls/icon.tsx';
import { KeyCap } from '../controls/key-cap.tsx';
import { KindBox } from '../controls/kind-box.tsx';
import { SidePanel } from '../controls/side-panel.tsx';
import type { CallRow } from '../data/answers.ts';
import { useCallRow } from '../data/call-rows.ts';
import { formatCount } from '../format/count.ts';
import { formatLatency } from '../format/latency.ts';
import { formatClock } from '../format/time.ts';
import { shownKey } from '../shell/keys.ts';
import { Cost } from './columns.tsx';
import { PeekBody } from './peek-body.tsx';
import classes from './peek-panel.module.css';
import { RunningTime } from './running-time.tsx';

export interface PeekPanelProps {
  readonly project: string;
  readonly id: string;
  /** The row, where the list has it. */
  readonly row: CallRow | undefined;
  readonly onMove: ((by: number) => void) | undefined;
  readonly onClose: () => void;
}

/** One call beside the list. */
export function PeekPanel({ project, id, row: known, onMove, onClose }: PeekPanelProps): ReactElement {
  const asked = useCallRow(project, known === undefined ? id : undefined);
  const row = known ?? asked.data ?? undefined;
  return (
    <SidePanel label="Selected call" name="peek">
      <header className={classes.head}>
        {row !== undefined && <KindBox kind={row.kind} />}
        <h2 className="cut grow">{row?.name ?? (asked.data === null ? 'No such call' : '')}</h2>
        <IconButton
          icon="chevron-up"
          label="Previous call (k)"
          isSmall
          disabled={!onMove}
          onClick={() => onMove?.(-1)}
        />
        <IconButton icon="chevron-down" label="Next call (j)" isSmall disabled={!onMove} onClick={() => onMove?.(1)} />
        {row !== undefined && (
          <Link className={classes.open} href={callPath(project, row.trace_id, row.id)}>
            <Icon name="trace" />
            Open trace
            <KeyCap>{shownKey('Mod+Enter')}</KeyCap>
          </Link>
        )}
        <IconButton icon="close" label="Close (Esc)" isSmall onClick={onClose} />
      </header>
      {row !== undefined && (
        <div className={classes.facts}>
          <Facts facts={factsOf(row)} />
        </div>
      )}
      {asked.error !== null && (
        <Failure what="The call could not be read" error={asked.error} onRetry={() => void asked.refetch()} />
      )}
      {row !== undefined && <PeekBody key={row.id} project={project} row={row} />}
    </SidePanel>
  );
}

function factsOf(row: CallRow): readonly Fact[] {
  const { latency_ms: ms, tokens, tokens_cached: cached } = row;
  const startedAt = Date.parse(row.started_at);
  return [
    {
      name: 'Latency',
      value: row.state === 'running' ? <RunningTime startedAt={startedAt} /> : ms === null ? '–' : formatLatency(ms),
    },
    {
      name: 'Tokens',
      value:
        tokens === null ? (
          '–'
        ) : (
          <>
            {formatCount(tokens)} {(cached ?? 0) > 0 && <small>{formatCount(cached ?? 0)} cached</small>}
          </>
        ),
    },
    { name: 'Cost', value: <Cost row={row} /> },
    { name: 'Started', value: formatClock(startedAt) },
    ...(row.model === null ? [] : [{ name: 'Model', value: row.model }]),
  ];
}
