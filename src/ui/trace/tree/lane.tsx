import type { ReactNode } from 'react';
import { type Bar, barOf, placeLabel, type LabelText } from './bar-of.ts';
import { at } from '../../tree/numbers.ts';
import { CallState } from '../layout/skeleton.ts';
import type { TimeScale } from '../layout/time-scale.ts';
import { callKind, callLabel, runLabel, runningEnd } from './row-text.ts';
import type { LaidOutTrace } from '../use-trace-layout.ts';
import { kindClass } from '../../controls/signs/kind-colour.ts';
import classes from './lane.module.css';

/** Pixels behind a lane that its labels may use: `12 m 03 s…` of a call that runs fits. */
export const LABEL_ROOM = 76;

export interface LaneProps {
  readonly trace: LaidOutTrace;
  readonly scale: TimeScale;
  /** Pixels. */
  readonly width: number;
  /** Microseconds since the first start. */
  readonly now: number;
}

export function CallLane({ trace, scale, width, now, call }: LaneProps & { readonly call: number }): ReactNode {
  const { skeleton, layout } = trace;
  const state = at(skeleton.states, call);
  const start = at(layout.times.start, call);
  const end = state === CallState.running ? runningEnd(layout.times, call, now) : at(layout.times.end, call);
  const kind = callKind(skeleton, call);
  return (
    <LaneOf
      bar={barOf(scale, start, end)}
      className={`${kindClass(kind)} ${classes[shapeOf(state)]} ${kind === 'llm' ? classes.llmBar : ''}`}
      firstToken={firstTokenShare(trace, call, end - start)}
      label={callLabel(skeleton, layout, call, now)}
      width={width}
    />
  );
}

/** Repeats are a comb from the first start to the last end, with a red tooth where one failed. */
export function RunLane({ trace, scale, width, run }: LaneProps & { readonly run: number }): ReactNode {
  const { skeleton, layout } = trace;
  const first = at(layout.repeats.first, run);
  return (
    <LaneOf
      bar={barOf(scale, at(layout.times.start, first), at(layout.repeats.end, run))}
      className={`${kindClass(callKind(skeleton, first))} ${classes.comb}`}
      label={runLabel(layout, run)}
      teeth={redTeeth(trace, run)}
      width={width}
    />
  );
}

interface LaneOfProps {
  readonly bar: Bar;
  readonly className: string;
  readonly label: LabelText;
  readonly width: number;
  readonly firstToken?: number | undefined;
  readonly teeth?: readonly number[];
}

function LaneOf({ bar, className, label, width, firstToken, teeth = [] }: LaneOfProps): ReactNode {
  if (!bar.isShown) return undefined;
  const placed = placeLabel(bar, width, LABEL_ROOM, label);
  const right = bar.left + bar.width;
  return (
    <>
      <span
        className={`${classes.bar} ${className}`}
        style={{
          left: `min(${bar.left * 100}%, 100% - 2px)`,
          width: `max(2px, ${bar.width * 100}%)`,
          ['--first-token' as string]: `${(firstToken ?? 0) * 100}%`,
        }}
      >
        {teeth.map((place) => (
          <i key={place} style={{ left: `${place * 100}%` }} />
        ))}
      </span>
      {placed && (
        <span
          className={classes.label}
          style={
            placed.side === 'after'
              ? { left: `calc(${right * 100}% + 6px)` }
              : { right: `calc(${(1 - bar.left) * 100}% + 6px)` }
          }
        >
          <span className={classes.number}>{placed.text.number}</span>
          {placed.text.more && <span className={classes.more}>{placed.text.more}</span>}
        </span>
      )}
    </>
  );
}

function shapeOf(state: number): string {
  if (state === CallState.error) return 'failed';
  if (state === CallState.running) return 'running';
  return state === CallState.neverEnded ? 'never' : 'ended';
}

function firstTokenShare({ skeleton }: LaidOutTrace, call: number, length: number): number | undefined {
  const firstMs = skeleton.firstChunkMs.get(call);
  return firstMs === undefined || length <= 0 ? undefined : Math.min(1, (firstMs * 1000) / length);
}

const MAX_TEETH = 12;

/** Where in a run its failures are, as shares of its length. */
function redTeeth({ skeleton, layout }: LaidOutTrace, run: number): number[] {
  const { repeats, times, tree } = layout;
  if (at(repeats.errors, run) === 0) return [];
  const teeth: number[] = [];
  const [first, last] = [at(repeats.first, run), at(repeats.last, run)];
  const from = at(times.start, first);
  const span = Math.max(1, at(repeats.end, run) - from);
  for (let call = first; teeth.length < MAX_TEETH; call = at(tree.nextSibling, call)) {
    if (at(skeleton.states, call) === CallState.error) teeth.push((at(times.start, call) - from) / span);
    if (call === last) break;
  }
  return [...new Set(teeth)];
}
