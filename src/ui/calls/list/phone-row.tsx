import type { ReactElement } from 'react';
import { Icon } from '../../controls/signs/icon.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { StatusSign } from '../../controls/signs/status-sign.tsx';
import type { CallRow } from '../../data/answers.ts';
import { formatLatency } from '../../format/latency.ts';
import { previewText } from '../../format/preview.ts';
import { showControls } from '../../json/show-controls.ts';
import { formatTime } from '../../format/time.ts';
import { Cost, messageOf } from './columns.tsx';
import classes from './phone-row.module.css';
import { RunningTime } from './running-time.tsx';

export interface PhoneRowProps {
  readonly row: CallRow;
  readonly isSelected: boolean;
}

/** A call in two lines; selected ones have a tick, since a tint alone is hardly seen. */
export function PhoneRow({ row, isSelected }: PhoneRowProps): ReactElement {
  const { latency_ms: ms } = row;
  const isError = row.state === 'error' && row.error !== null;
  return (
    <div className={classes.row}>
      <span className={classes.name}>
        {isSelected && (
          <span className={classes.tick}>
            <Icon name="check" size={12} />
          </span>
        )}
        <StatusSign state={row.state} isSignOnly />
        <KindBox kind={row.kind} />
        <span className="cut">{showControls(row.name)}</span>
      </span>
      <span className="num-s faint">{formatTime(Date.parse(row.started_at), Date.now())}</span>
      <span className={`num ${classes.end}`}>
        {row.state === 'running' ? (
          <RunningTime startedAt={Date.parse(row.started_at)} />
        ) : ms === null ? (
          '–'
        ) : (
          formatLatency(ms)
        )}
      </span>
      <bdi className={`cut ${isError ? 'err' : 'muted'} ${classes.text}`}>
        {showControls((isError ? messageOf(row) : previewText(row.input ?? '')) ?? '')}
      </bdi>
      <span className={`num faint ${classes.end}`}>
        <Cost row={row} />
      </span>
    </div>
  );
}
