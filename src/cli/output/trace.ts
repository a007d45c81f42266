import type { Call } from '../../protocol/call.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { usageRoots } from '../../protocol/usage-roots.ts';
import { costOfTrace, totalCost } from '../../reader/call-cost.ts';
import { durationOf, modelsOf, nameOf, sumOfTokens, tokensOf } from '../call-row.ts';
import type { ShownStatus } from '../shown-status.ts';
import { callsOf } from '../trace-tree.ts';
import { colors } from './colors.ts';
import { type CallGroup, folded, unfolded } from './fold.ts';
import { fullLines } from './full-call.ts';
import { linked } from './links.ts';
import { formatCost, formatShortCost } from './money.ts';
import { formatCount, formatDuration, formatDurations, formatTime } from './numbers.ts';
import { joinedLines } from './joined-lines.ts';
import { cutToWidth, displayWidth, toLine } from './plain-text.ts';
import { screenWidth } from './screen.ts';
import { markOf, paintStatus, wordOf } from './status.ts';
import { MAX_INDENT, type TreeItem, type TreeLine, treeLines } from './tree.ts';

export interface TraceLinesOptions {
  readonly project: string;
  /** Every call on its own, with attributes, inputs, output and the whole error. */
  readonly isFull: boolean;
  readonly statusOf: (call: Call) => ShownStatus;
  /** Where the page shows a call. */
  readonly addressOf: (call: Call) => string;
}

interface Row {
  readonly line: TreeLine<CallGroup>;
  readonly status: ShownStatus;
  /** Without colour, so that it can be measured. */
  readonly name: string;
  readonly address: () => string;
  readonly duration: string;
}

const MAX_NAME_LENGTH = 60;
const MAX_ERROR_LENGTH = 160;
const LEAST_ERROR_LENGTH = 20;
const LEAST_NAME_LENGTH = 12;
/** A model is named by so much. */
const LEAST_FACT_LENGTH = 12;
/** Mark, name and duration. */
const LEAST_ROW_LENGTH = 30;
/** Of one level. */
const INDENT = 3;
/** With the blank behind it. */
const MARK_LENGTH = 2;
const GAP = 2;

/** A trace as people read it: a head, then a line per call with its error below it. */
export function traceLines(roots: readonly TreeItem<Call>[], options: TraceLinesOptions): string[] {
  const groups = options.isFull ? unfolded(roots) : folded(roots);
  const maxIndent = indentWithin(screenWidth());
  const wholes = [...treeLines(groups, maxIndent)].map((line) => toRow(line, maxIndent, options));
  const durationWidth = widest(wholes, ({ duration }) => duration.length);
  const room = screenWidth() - durationWidth;
  const rows = room === Infinity ? wholes : wholes.map((row) => ({ ...row, name: nameWithin(row, room) }));
  const nameWidth = widest(rows, ({ line, name }) => line.guide.length + displayWidth(name));
  return [
    ...headLines(roots, options),
    '',
    ...rows.flatMap((row) => [callLine(row, nameWidth, durationWidth), ...belowLines(row, options.isFull)]),
  ];
}

/** Levels for which there is room beside names. */
function indentWithin(screen: number): number {
  return Math.max(1, Math.min(MAX_INDENT, Math.floor((screen - LEAST_ROW_LENGTH) / INDENT)));
}

/** The name as far as there is room between the mark before it and the gap behind. */
function nameWithin({ line, name }: Row, room: number): string {
  const own = room - line.guide.length - MARK_LENGTH - GAP;
  return cutToWidth(name, Math.max(own, LEAST_NAME_LENGTH));
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

function toRow(line: TreeLine<CallGroup>, maxIndent: number, { statusOf, addressOf }: TraceLinesOptions): Row {
  const calls = line.item.value;
  // Several are one group only when their status is the same.
  const status = statusOf(calls[0]);
  const count = calls.length === 1 ? '' : `${formatCount(calls.length)} × `;
  const durations = calls.flatMap((call) => durationOf(call) ?? []);
  // Beyond this depth the guide no longer tells it.
  const depth = line.depth > maxIndent ? `[${line.depth}] ` : '';
  return {
    line,
    status,
    address: () => addressOf(calls[0]),
    name: `${depth}${count}${toLine(nameOf(calls[0]), MAX_NAME_LENGTH)}`,
    duration:
      durations.length === 0 ? wordOf(status === 'never_ended' ? status : 'running') : formatDurations(durations),
  };
}

function callLine({ line, status, name, address, duration }: Row, nameWidth: number, durationWidth: number): string {
  const { value: calls, children } = line.item;
  const gap = ' '.repeat(nameWidth - line.guide.length - displayWidth(name) + GAP);
  const tokens = calls.reduce((sum, call) => sum + (tokensOf(call)?.total ?? 0), 0);
  const models = ownModels(calls, children);
  const facts = [
    duration.padStart(durationWidth),
    ...(calls.some(tokensOf) ? [`${formatCount(tokens)} tok`] : []),
    ...costFacts(calls, models),
  ];
  const names = models.map((model) => toLine(model, MAX_NAME_LENGTH));
  const screen = screenWidth();
  // Measuring is most of what a large trace that is piped would take.
  const room = screen === Infinity ? screen : screen - displayWidth(`${line.guide}? ${name}${gap}`);
  const text = room === Infinity ? [...facts, ...names].join('  ') : factsWithin(facts, names, room);
  return `${colors.dim(line.guide)}${markOf(status)} ${linked(name, address)}${gap}${colors.dim(text)}`.trimEnd();
}

/** As many as have room, the duration in any case. Only the first name may be cut: half a number would be another one. */
function factsWithin([duration = '', ...facts]: readonly string[], names: readonly string[], room: number): string {
  let text = duration;
  for (const fact of [...facts, ...names]) {
    const left = room - displayWidth(text) - GAP;
    const isLong = displayWidth(fact) > left;
    if (isLong && (fact !== names[0] || left < LEAST_FACT_LENGTH)) break;
    text = `${text}${' '.repeat(GAP)}${cutToWidth(fact, left)}`;
  }
  return text;
}

/** The names of models without a price stand in the head, and behind the calls that used them. */
function costFacts(calls: CallGroup, models: readonly string[]): string[] {
  const cost = totalCost(calls);
  if (cost === undefined) return [];
  // Their own price is none, which is told where they are named.
  if (Object.keys(cost.amounts).length === 0 && models.length === 0) return [];
  return [formatShortCost(cost)];
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
  const room = screenWidth() - displayWidth(line.belowGuide);
  if (isFull) return fullLines(call, room).map((text) => `${before}${text}`);
  // An error that only passed through is told where it came from.
  const isPassedOn = children.some(
    ({ value: [child] }) => child.exception !== null && child.exception === call.exception,
  );
  if (call.exception === null || isPassedOn) return [];
  const [firstLine = ''] = call.exception.split('\n', 1);
  const error = toLine(firstLine, MAX_ERROR_LENGTH);
  return [`${before}${colors.red(cutToWidth(error, Math.max(room, LEAST_ERROR_LENGTH)))}`];
}
