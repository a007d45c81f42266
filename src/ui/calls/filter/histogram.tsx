import { type CSSProperties, type PointerEvent, type ReactElement, useRef, useState } from 'react';
import type { Histogram as Counts } from '../../data/answers.ts';
import { type ClockTick, clockTicks } from '../../format/clock-ticks.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatClock, formatDay, formatMinute } from '../../format/time.ts';
import { useMedia, PHONE } from '../../shell/use-media.ts';
import { useSize } from '../../shell/use-size.ts';
import classes from './histogram.module.css';

export interface HistogramProps {
  readonly counts: Counts;
  readonly onSelect: (from: number, to: number) => void;
}

/** Shorter drags are clicks. */
const SMALLEST_DRAG_PX = 4;
/** Times below the bars, at most, and how far from each other: beside an open panel there is room for few. */
const MOST_TICKS = 9;
const TICK_PX = 68;
/** The number at the line stands beside the bars, whatever it is. */
const DIGIT_PX = 7;
const LABEL_GAP_PX = 4;

/** Calls over time, errors at the foot of each bar; a drag chooses a range. */
export function Histogram({ counts, onSelect }: HistogramProps): ReactElement {
  const plot = useRef<HTMLDivElement>(null);
  const [times, setTimes] = useState<HTMLElement | null>(null);
  const { width: timesPx } = useSize(times);
  const [drag, setDrag] = useState<readonly [number, number]>();
  const isPhone = useMedia(PHONE);
  const bars = isPhone ? pairs(counts) : counts;
  const highest = Math.max(...bars.counts);
  const top = gridLine(highest);
  const [from, to] = [Date.parse(counts.from), Date.parse(counts.to)];
  const total = sum(counts.counts);
  const errors = sum(counts.errors);

  const shareAt = (event: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
  };
  const finish = () => {
    setDrag(undefined);
    const width = plot.current?.clientWidth ?? 0;
    if (drag === undefined || Math.abs(drag[1] - drag[0]) * width < SMALLEST_DRAG_PX) return;
    const [a, b] = barsOf(drag, bars.counts.length);
    onSelect(from + a * bars.bucket_ms, Math.min(to, from + b * bars.bucket_ms));
  };
  return (
    <section
      className={classes.strip}
      style={{ '--label': `${formatCount(top).length * DIGIT_PX + LABEL_GAP_PX}px` } as CSSProperties}
      aria-label={`Calls over time: ${countOf(total, 'call')}, ${countOf(errors, 'error')}`}
    >
      <span className={classes.top}>{formatCount(top)}</span>
      <div
        ref={plot}
        className={classes.plot}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([shareAt(event), shareAt(event)]);
        }}
        onPointerMove={(event) => drag && setDrag([drag[0], shareAt(event)])}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(undefined)}
      >
        {bars.counts.map((count, index) => (
          <i key={index} style={{ height: `${(count / top) * 100}%` }} className={count > 0 ? classes.some : undefined}>
            {(bars.errors[index] ?? 0) > 0 && (
              <i className={classes.errors} style={{ height: `${((bars.errors[index] ?? 0) / count) * 100}%` }} />
            )}
          </i>
        ))}
        {drag && <Brush drag={drag} bars={bars} from={from} />}
      </div>
      <div ref={setTimes} className={classes.times} aria-hidden="true">
        {ticksOf(from, to, timesPx).map(({ at, label }) => (
          <span key={at} style={tickPlace((at - from) / (to - from), label)}>
            {label}
          </span>
        ))}
      </div>
    </section>
  );
}

/** Where it will be once the counts are there: nothing below moves then. */
export function HistogramPlace(): ReactElement {
  return <div className={classes.strip} aria-hidden="true" />;
}

interface BrushProps {
  readonly drag: readonly [number, number];
  readonly bars: Counts;
  readonly from: number;
}

function Brush({ drag, bars, from }: BrushProps): ReactElement {
  const { length } = bars.counts;
  const [a, b] = barsOf(drag, length);
  const calls = sum(bars.counts.slice(a, b));
  const errors = sum(bars.errors.slice(a, b));
  const span = bars.bucket_ms * length;
  return (
    <>
      <span
        className={classes.brush}
        style={{ left: `${(a / length) * 100}%`, width: `${((b - a) / length) * 100}%` }}
      />
      <span className={classes.pop} style={popPlace(a / length, b / length)}>
        <span className="num">
          {timeLabel(from + a * bars.bucket_ms, span)}–{timeLabel(from + b * bars.bucket_ms, span)}
        </span>
        <span>{countOf(calls, 'call')}</span>
        {errors > 0 && <span className="err">{countOf(errors, 'error')}</span>}
      </span>
    </>
  );
}

/** Round times, and the last one where there is room for it behind them: bars end where the calls do. */
function ticksOf(from: number, to: number, px: number): readonly ClockTick[] {
  const most = Math.max(1, Math.min(MOST_TICKS, Math.floor(px / TICK_PX)));
  const ticks = clockTicks(from, to, most);
  const roomPx = (px * (to - (ticks.at(-1)?.at ?? from))) / (to - from);
  return roomPx < 1.5 * TICK_PX ? ticks : [...ticks, { at: to, label: timeLabel(to, to - from) }];
}

/** In the middle below its instant, but never beyond an edge. */
function tickPlace(share: number, { length }: string): CSSProperties {
  return { left: `clamp(${length / 2}ch, ${share * 100}%, 100% - ${length / 2}ch)` };
}

function popPlace(from: number, to: number): { left?: string; right?: string } {
  return from > 0.5 ? { right: `${(1 - from) * 100}%` } : { left: `${to * 100}%` };
}

/** First bar of a drag, and the one after its last. */
function barsOf([a, b]: readonly [number, number], length: number): readonly [number, number] {
  const first = Math.floor(Math.min(a, b) * length);
  return [Math.min(first, length - 1), Math.max(first + 1, Math.ceil(Math.max(a, b) * length))];
}

/** The round number at which the line is drawn, above all bars: a bar that goes over it looks like one that is cut. */
function gridLine(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  const steps = [1, 1.2, 1.5, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10]
    .map((step) => step * power)
    .filter(Number.isInteger);
  return steps.find((step) => step >= highest) ?? 1;
}

/** On a phone each bar stands for two. */
function pairs({ counts, errors, bucket_ms: width, ...rest }: Counts): Counts {
  const paired = (values: readonly number[]) =>
    values.flatMap((value, index) => (index % 2 === 0 ? [value + (values[index + 1] ?? 0)] : []));
  return { ...rest, counts: paired(counts), errors: paired(errors), bucket_ms: width * 2 };
}

function timeLabel(at: number, spanMs: number): string {
  if (spanMs < 10 * 60_000) return formatClock(at);
  if (spanMs < 36 * 3_600_000) return formatMinute(at);
  return spanMs < 8 * 86_400_000 ? `${formatDay(at)} ${formatMinute(at)}` : formatDay(at);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
