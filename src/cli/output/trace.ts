import type { Call } from '../../protocol/call.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { usageRoots } from '../../protocol/usage-roots.ts';
import { costOfTrace, totalCost } from '../../reader/call-cost.ts';
import { attributesOf, durationOf, modelsOf, nameOf, streamOf, sumOfTokens, tokensOf } from '../call-row.ts';
import type { ShownStatus } from '../shown-status.ts';
import { callsOf } from '../trace-tree.ts';
import { colors } from './colors.ts';
import { type CallGroup, folded, unfolded } from './fold.ts';
import { formatCost } from './money.ts';
import { formatCount, formatDuration, formatDurations, formatTime } from './numbers.ts';
import { joinedLines } from './joined-lines.ts';
import { cutToWidth, displayWidth, toLine } from './plain-text.ts';
import { screenWidth } from './screen.ts';
import { markOf, paintStatus, wordOf } from './status.ts';
import { MAX_INDENT, type TreeItem, type TreeLine, treeLines } from './tree.ts';
import { fieldLines } from './value.ts';

export interface TraceLinesOptions {
  readonly project: string;
  /** Every call on its own, with attributes, inputs, output and the whole error. */
  readonly isFull: boolean;
  readonly statusOf: (call: Call) => ShownStatus;
}

interface Row {
  readonly line: TreeLine<CallGroup>;
  readonly status: ShownStatus;
  /** Without colour, so that it can be measured. */
  readonly name: string;
  readonly duration: string;
}

const MAX_NAME_LENGTH = 60;
const MAX_ERROR_LENGTH = 160;
const LEAST_ERROR_LENGTH = 20;

/** A trace as people read it: a head, then a line per call with its error below it. */
export function traceLines(roots: readonly TreeItem<Call>[], options: TraceLinesOptions): string[] {
  const groups = options.isFull ? unfolded(roots) : folded(roots);
  const rows = [...treeLines(groups)].map((line) => toRow(line, options));
  const nameWidth = widest(rows, ({ line, name }) => line.guide.length + displayWidth(name));
  const durationWidth = widest(rows, ({ duration }) => duration.length);
  return [
    ...headLines(roots, options),
    '',
    ...rows.flatMap((row) => [callLine(row, nameWidth, durationWidth), ...belowLines(row, options.isFull)]),
  ];
}

function widest(rows: readonly Row[], widthOf: (row: Row) => number): number {
  return rows.reduce((width, row) => Math.max(width, widthOf(row)), 0);
}

function headLines(roots: readonly TreeItem<Call>[], { project, statusOf }: TraceLinesOptions): string[] {
  const first = roots[0]?.value;
  if (!first) return [];
  const status = statusOf(first);
  const duration = durationOf(first);
  const calls = roots.flatMap(callsOf);
  const callCount = calls.length;
  const users = usageRoots(calls, (call) => tokensOf(call) !== undefined);
  const tokens = sumOfTokens(users)?.total ?? 0;
  const cost = costOfTrace(calls);
  const facts = [
    paintStatus(status, wordOf(status)),
    ...(duration === undefined ? [] : [formatDuration(duration)]),
    callCount === 1 ? '1 call' : `${formatCount(callCount)} calls`,
    ...(tokens === 0 ? [] : [`${formatCount(tokens)} tokens`]),
    ...(cost === undefined ? [] : [formatCost(cost)]),
  ];
  const place = [
    formatTime(parseDateTime(first.started_at) ?? 0),
    ...(first.thread_id === null ? [] : [`thread ${toLine(first.thread_id)}`]),
    `trace ${toLine(first.trace_id)}`,
    `project ${toLine(project)}`,
  ];
  return [
    ...joinedLines([colors.bold(toLine(nameOf(first), MAX_NAME_LENGTH)), ...facts]),
    ...joinedLines(place).map(colors.dim),
  ];
}

function toRow(line: TreeLine<CallGroup>, { statusOf }: TraceLinesOptions): Row {
  const calls = line.item.value;
  // Several are one group only when their status is the same.
  const status = statusOf(calls[0]);
  const count = calls.length === 1 ? '' : `${formatCount(calls.length)} × `;
  const durations = calls.flatMap((call) => durationOf(call) ?? []);
  // Beyond this depth the guide no longer tells it.
  const depth = line.depth > MAX_INDENT ? `[${line.depth}] ` : '';
  return {
    line,
    status,
    name: `${depth}${count}${toLine(nameOf(calls[0]), MAX_NAME_LENGTH)}`,
    duration:
      durations.length === 0 ? wordOf(status === 'never_ended' ? status : 'running') : formatDurations(durations),
  };
}

function callLine({ line, status, name, duration }: Row, nameWidth: number, durationWidth: number): string {
  const { value: calls, children } = line.item;
  const gap = ' '.repeat(nameWidth - line.guide.length - displayWidth(name) + 2);
  const tokens = calls.reduce((sum, call) => sum + (tokensOf(call)?.total ?? 0), 0);
  const models = ownModels(calls, children);
  const facts = [
    duration.padStart(durationWidth),
    ...(calls.some(tokensOf) ? [`${formatCount(tokens)} tok`] : []),
    ...costFacts(calls, models),
    ...models.map((model) => toLine(model, MAX_NAME_LENGTH)),
  ];
  const screen = screenWidth();
  const whole = facts.join('  ');
  // Measuring is most of what a large trace that is piped would take.
  const room = screen === Infinity ? screen : screen - displayWidth(`${line.guide}? ${name}${gap}`);
  const text = room === Infinity ? whole : cutToWidth(whole, Math.max(room, durationWidth));
  return `${colors.dim(line.guide)}${markOf(status)} ${name}${gap}${colors.dim(text)}`.trimEnd();
}

/** The names of models without a price stand in the head, and behind the calls that used them. */
function costFacts(calls: CallGroup, models: readonly string[]): string[] {
  const cost = totalCost(calls);
  if (cost === undefined) return [];
  const { amounts, unpricedModels } = cost;
  if (Object.keys(amounts).length === 0) return models.length === 0 ? [] : ['no price'];
  const known = formatCost({ ...cost, unpricedModels: [] });
  return [unpricedModels.length === 0 ? known : `≥ ${known}`];
}

/** Usage is added up to the parents; the model belongs to the call that used it. */
function ownModels(calls: CallGroup, children: readonly TreeItem<CallGroup>[]): string[] {
  const below = new Set(children.flatMap(({ value }) => value.flatMap(modelsOf)));
  return [...new Set(calls.flatMap(modelsOf))].filter((model) => !below.has(model));
}

function belowLines({ line }: Row, isFull: boolean): string[] {
  const { children } = line.item;
  // Only successful calls are folded, and only when their fields are not shown.
  const [call] = line.item.value;
  const before = colors.dim(line.belowGuide);
  if (isFull) return fullLines(call).map((text) => `${before}${text}`);
  // An error that only passed through is told where it came from.
  const isPassedOn = children.some(
    ({ value: [child] }) => child.exception !== null && child.exception === call.exception,
  );
  if (call.exception === null || isPassedOn) return [];
  const [firstLine = ''] = call.exception.split('\n', 1);
  const error = toLine(firstLine, MAX_ERROR_LENGTH);
  const room = screenWidth() - displayWidth(line.belowGuide);
  return [`${before}${colors.red(cutToWidth(error, Math.max(room, LEAST_ERROR_LENGTH)))}`];
}

/** A call that failed may have an output too, such as the part of a stream that came. */
function hasOutput({ ended_at, exception, output }: Call): boolean {
  return ended_at !== null && (exception === null || output !== null);
}

function fullLines(call: Call): string[] {
  const attributes = attributesOf(call);
  const stream = streamOf(call);
  return [
    ...fieldLines('id', call.id),
    ...(Object.keys(attributes).length === 0 ? [] : fieldLines('attributes', attributes)),
    ...fieldLines('inputs', call.inputs),
    ...(hasOutput(call) ? fieldLines('output', call.output) : []),
    ...(stream === undefined ? [] : fieldLines('stream', stream)),
    ...(call.exception === null ? [] : fieldLines('error', call.exception).map(colors.red)),
  ];
}
