import type { Call } from '../../../protocol/call.ts';
import { parseDateTime } from '../../../protocol/values/date-time.ts';
import type { Comparison, ComparedSide, Origin } from '../../../reader/compare/comparison.ts';
import { nameOf } from '../../call-row.ts';
import { colors } from '../colors.ts';
import { comparedRows, type ComparedRowsOptions } from './compared-rows.ts';
import { joinedLines } from '../joined-lines.ts';
import { formatCost } from '../money.ts';
import { formatCount, formatDuration, formatTime } from '../numbers.ts';
import { originText, timeText } from './origin-text.ts';
import { toLine } from '../plain-text.ts';
import { wrapped } from '../wrapped.ts';

export interface ComparisonLinesOptions extends ComparedRowsOptions {
  /** Where each side is. */
  readonly projects: { readonly a: string; readonly b: string };
}

const MAX_NAME_LENGTH = 60;
/** Above the tree; all of them are in it. */
const MAX_ORIGINS = 20;

/** A comparison as people read it: both sides, what the differences come from, and a tree of both in one. */
export function comparisonLines(comparison: Comparison, options: ComparisonLinesOptions): string[] {
  return [
    ...headLines(comparison, options),
    '',
    ...summaryLines(comparison, options),
    '',
    ...comparedRows(comparison.calls, options),
  ];
}

function headLines({ a, b, calls }: Comparison, { projects }: ComparisonLinesOptions): string[] {
  const firstA = calls.find((call) => call.a !== null)?.a;
  const firstB = calls.find((call) => call.b !== null)?.b;
  return [
    ...sideLines('A', { first: firstA, side: a, project: projects.a }),
    ...sideLines('B', { first: firstB, side: b, project: projects.b }),
  ];
}

interface SideShown {
  readonly first: Call | null | undefined;
  readonly side: ComparedSide;
  readonly project: string;
}

function sideLines(letter: string, { first, side, project }: SideShown): string[] {
  if (!first) return [];
  const { callCount, durationMs, tokens, cost } = side;
  const facts = [
    `${letter} ${colors.bold(toLine(nameOf(first), MAX_NAME_LENGTH))}`,
    formatTime(parseDateTime(first.started_at) ?? 0),
    ...(durationMs === null ? [] : [formatDuration(durationMs * 1000)]),
    callCount === 1 ? '1 call' : `${formatCount(callCount)} calls`,
    ...(tokens === null ? [] : [`${formatCount(tokens)} tokens`]),
    ...(cost === null ? [] : [formatCost(cost)]),
    `trace ${toLine(first.trace_id)}`,
    `project ${toLine(project)}`,
  ];
  return joinedLines(facts);
}

function summaryLines(comparison: Comparison, options: ComparisonLinesOptions): string[] {
  return [...differenceLines(comparison, options), ...timeLines(comparison)];
}

function timeLines({ times }: Comparison): string[] {
  return times.slice(0, MAX_ORIGINS).flatMap((change) => wrapped(colors.yellow(timeText(change)), { indent: 4 }));
}

function differenceLines({ origins, counts }: Comparison, { indexOf }: ComparisonLinesOptions): string[] {
  if (origins.length === 0 && counts.cut === 0) return wrapped('Nothing differs but numbers.');
  if (origins.length === 0)
    return wrapped(`Nothing differs but numbers, as far as it was recorded: ${cutText(counts.cut)}.`);
  const shown = origins.slice(0, MAX_ORIGINS);
  const told = origins.reduce((sum, { calls }) => sum + calls.length, 0);
  const { same: _same, cut, ...differing } = counts;
  const rest = Object.values(differing).reduce((sum, count) => sum + count, 0) - told;
  return [
    ...shown.flatMap((origin) => wrapped(colorsOf(origin)(originText(origin, indexOf)), { indent: 4 })),
    ...(origins.length === shown.length ? [] : [`… ${formatCount(origins.length - shown.length)} more, see --json`]),
    ...(rest === 0 ? [] : wrapped(`${callsDiffer(rest)}, which may come of that.`)),
    ...(cut === 0 ? [] : wrapped(`Of the others, ${cutText(cut)}.`)),
  ];
}

function cutText(count: number): string {
  return count === 1 ? 'values of 1 call were cut' : `values of ${formatCount(count)} calls were cut`;
}

function callsDiffer(count: number): string {
  return count === 1 ? '1 more call differs' : `${formatCount(count)} more calls differ`;
}

function colorsOf({ kind }: Origin): (text: string) => string {
  if (kind === 'only_a') return colors.red;
  return kind === 'only_b' ? colors.green : colors.yellow;
}
