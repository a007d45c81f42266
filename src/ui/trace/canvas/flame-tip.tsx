import { countOf } from '../../format/count.ts';
import { durationText } from '../tree/duration-text.ts';
import type { ReactNode } from 'react';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import type { FlameBox } from './flame-boxes.ts';
import { at } from '../../tree/numbers.ts';
import { callKind, callLabel, callName } from '../tree/row-text.ts';
import { StateSign } from '../tree/state-sign.tsx';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import classes from './flame-view.module.css';

interface FlameTipProps {
  readonly trace: LaidOutTrace;
  readonly box: FlameBox;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const TIP_PX = 260;

export function FlameTip({ trace, box, x, y, width }: FlameTipProps): ReactNode {
  const { skeleton, layout } = trace;
  const { call } = box;
  const error = skeleton.errors.get(call);
  return (
    <div
      className={classes.tip}
      style={{ left: Math.max(0, Math.min(x + 12, width - TIP_PX)), top: y + 16 }}
      aria-hidden="true"
    >
      {box.calls > 1 ? (
        <b>{countOf(box.calls, 'call')}, too thin to draw</b>
      ) : (
        <>
          <b>
            <KindBox kind={callKind(skeleton, call)} />
            {callName(skeleton, call)} <StateSign state={at(skeleton.states, call)} />
          </b>
          <p>
            <span className={classes.number}>
              {callLabel(skeleton, layout, call, at(layout.times.end, call)).number}
            </span>{' '}
            · self <span className={classes.number}>{durationText(at(layout.times.self, call))}</span>
          </p>
          {error && <p className={classes.error}>{error}</p>}
        </>
      )}
    </div>
  );
}
