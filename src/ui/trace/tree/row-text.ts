import { formatCount } from '../../format/count.ts';
import { durationText } from './duration-text.ts';
import { beginningAt } from '../../controls/signs/marked.tsx';
import { isModelCall, modelOf } from '../layout/model-of.ts';
import { at } from '../../tree/numbers.ts';
import { CallState, type TraceSkeleton } from '../layout/skeleton.ts';
import type { TraceLayout } from '../layout/trace-layout.ts';
import type { LabelText } from './bar-of.ts';

export function callName({ names, ops, op }: Pick<TraceSkeleton, 'names' | 'ops' | 'op'>, call: number): string {
  return names.get(call) ?? ops[at(op, call)]?.name ?? '';
}

export function callKind({ ops, op }: Pick<TraceSkeleton, 'ops' | 'op'>, call: number): string {
  return ops[at(op, call)]?.kind ?? 'other';
}

/** Where a call holds what is looked for, if its row does not show it: in its error, its op, a model below it or its id. */
export function foundBeside(skeleton: TraceSkeleton, call: number, wanted: string): string | undefined {
  const holds = (text: string | undefined): string | undefined => beginningAt(text, wanted);
  if (holds(callName(skeleton, call)) ?? holds(modelOf(skeleton, call))) return undefined;
  const { errors, ops, op, models, ids } = skeleton;
  return holds(errors.get(call)) ?? holds(ops[at(op, call)]?.name) ?? holds(models.get(call)) ?? holds(ids[call]);
}

/** The text beside the bar of a call. @param now microseconds since the first start */
export function callLabel(skeleton: TraceSkeleton, layout: TraceLayout, call: number, now: number): LabelText {
  const number = durationLabel(skeleton, layout, call, now);
  const attempt = at(layout.attempts, call);
  const tokens = at(skeleton.tokensIn, call) + at(skeleton.tokensOut, call);
  const hasTokens = at(skeleton.endedAt, call) > 0 && isModelCall(skeleton, call) && tokens > 0;
  const more = [attempt > 0 && `attempt ${attempt}`, hasTokens && `${formatCount(tokens)} tok`].filter(Boolean);
  return more.length === 0 ? { number } : { number, more: more.join(' · ') };
}

function durationLabel(skeleton: TraceSkeleton, { times }: TraceLayout, call: number, now: number): string {
  const state = at(skeleton.states, call);
  if (state === CallState.neverEnded) return 'no end';
  const start = at(times.start, call);
  if (state === CallState.running) return `${durationText(runningEnd(times, call, now) - start)}…`;
  return durationText(at(times.end, call) - start);
}

/** The text beside the comb of repeats. */
export function runLabel({ repeats, times }: TraceLayout, run: number): LabelText {
  const number = durationText(at(repeats.end, run) - at(times.start, at(repeats.first, run)));
  const [p50, max] = [at(repeats.p50, run), at(repeats.max, run)];
  return Number.isNaN(p50) ? { number } : { number, more: `p50 ${durationText(p50)} · max ${durationText(max)}` };
}

/** Up to where a running call reaches: now, but never before the last sign of life, whose clock may be ahead of ours. */
export function runningEnd({ end }: TraceLayout['times'], call: number, now: number): number {
  return Math.max(at(end, call), now);
}
