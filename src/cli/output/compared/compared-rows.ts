import type { Cost } from '../../../reader/call-cost.ts';
import type { CallNumbers, ComparedCall } from '../../../reader/compare/comparison.ts';
import { numbersOf } from '../../../reader/compare/numbers.ts';
import { kindOf } from '../../../reader/compare/origins.ts';
import { nameOf } from '../../call-row.ts';
import { changeText } from './change-text.ts';
import { colors } from '../colors.ts';
import { type ComparedRow, comparedTree } from './compared-tree.ts';
import { formatShortCost } from '../money.ts';
import { formatCount, formatDuration } from '../numbers.ts';
import { causeText, type IndexOf } from './origin-text.ts';
import { cutToWidth, displayWidth, toLine } from '../plain-text.ts';
import { screenWidth } from '../screen.ts';
import { MAX_INDENT, type TreeLine, treeLines } from '../tree.ts';

export interface ComparedRowsOptions {
  readonly indexOf: IndexOf;
  /** Calls that are the same have a line each. */
  readonly isAll: boolean;
}

const MAX_NAME_LENGTH = 60;
const LEAST_NAME_LENGTH = 12;
const LEAST_ROW_LENGTH = 30;
/** Of one level. */
const INDENT = 3;
/** With the blank behind it. */
const MARK_LENGTH = 2;
const GAP = '  ';
const MAX_ERROR_LENGTH = 160;
const MAX_ORIGIN_CHANGES = 3;

/** The calls of both traces as one tree, below each the places at which it differs. */
export function comparedRows(calls: readonly ComparedCall[], options: ComparedRowsOptions): string[] {
  const maxIndent = Math.max(1, Math.min(MAX_INDENT, Math.floor((screenWidth() - LEAST_ROW_LENGTH) / INDENT)));
  const lines = [...treeLines(comparedTree(calls, options.isAll), maxIndent)];
  const named = lines.map((line) => ({ line, name: nameWithin(line, maxIndent) }));
  const width = named.reduce((most, { line, name }) => Math.max(most, line.guide.length + displayWidth(name)), 0);
  return named.flatMap(({ line, name }) => [
    rowLine(line, { name, width, indexOf: options.indexOf }),
    ...detailLines(line),
  ]);
}

/** The name as far as there is room beside its guide. */
function nameWithin({ item: { value: row }, guide, depth }: TreeLine<ComparedRow>, maxIndent: number): string {
  const level = depth > maxIndent ? `[${depth}] ` : '';
  const own = screenWidth() - guide.length - MARK_LENGTH;
  return cutToWidth(`${level}${rowName(row)}`, Math.max(own, LEAST_NAME_LENGTH));
}

function rowName(row: ComparedRow): string {
  if (row.call === undefined) return alikeText(row.count, row.cut);
  const call = row.call.b ?? row.call.a;
  const name = call === null ? '' : toLine(nameOf(call), MAX_NAME_LENGTH);
  return row.below === 0
    ? name
    : `${name} with ${row.below === 1 ? '1 call' : `${formatCount(row.below)} calls`} below`;
}

function alikeText(count: number, cut: number): string {
  const calls = count === 1 ? '1 call alike' : `${formatCount(count)} calls alike`;
  if (cut === 0) return calls;
  return cut === count ? `${calls} as far as recorded` : `${calls}, ${formatCount(cut)} as far as recorded`;
}

interface RowLook {
  readonly name: string;
  readonly width: number;
  readonly indexOf: IndexOf;
}

function rowLine({ item: { value: row }, guide }: TreeLine<ComparedRow>, { name, width, indexOf }: RowLook): string {
  const head = `${colors.dim(guide)}${markOf(row)} ${row.call === undefined ? colors.dim(name) : name}`;
  if (row.call === undefined) return head;
  const gap = ' '.repeat(width - guide.length - displayWidth(name));
  const cause = causeText(row.call, indexOf);
  const facts = [...(cause === '' ? [] : [cause]), ...numberFacts(row.call)];
  const text = factsWithin(facts, screenWidth() - width - MARK_LENGTH - GAP.length);
  if (text === '') return head;
  // What may come of something else stands back.
  const paint = row.call.isOrigin ? (plain: string) => plain : colors.dim;
  return `${head}${gap}${GAP}${paint(text)}`;
}

function markOf({ call }: ComparedRow): string {
  if (call === undefined) return colors.dim('=');
  switch (kindOf(call)) {
    case undefined:
      return colors.dim('=');
    case 'only_a':
      return colors.red('−');
    case 'only_b':
      return colors.green('+');
    default:
      return call.isOrigin ? colors.yellow('≠') : colors.dim('≠');
  }
}

/** As many as have room; the first may be cut. */
function factsWithin(facts: readonly string[], room: number): string {
  let text = '';
  for (const fact of facts) {
    const longer = text === '' ? fact : `${text}${GAP}${fact}`;
    if (displayWidth(longer) > room) return text === '' && room >= LEAST_NAME_LENGTH ? cutToWidth(fact, room) : text;
    text = longer;
  }
  return text;
}

function numberFacts({ a, b }: ComparedCall): string[] {
  const [one, other] = [a && numbersOf(a), b && numbersOf(b)];
  return [
    between(one, other, ({ durationMs }) => (durationMs === null ? undefined : formatDuration(durationMs * 1000))),
    between(one, other, ({ tokens }) => (tokens === null ? undefined : `${formatCount(tokens)} tok`)),
    between(one, other, ({ cost }) => (cost === null || isUnpriced(cost) ? undefined : formatShortCost(cost))),
  ].filter((fact) => fact !== '');
}

/** It is told in the head. */
function isUnpriced({ amounts }: Cost): boolean {
  return Object.keys(amounts).length === 0;
}

/** `840 ms → 1.24 s`; once where both are alike. */
function between(
  a: CallNumbers | null,
  b: CallNumbers | null,
  textOf: (numbers: CallNumbers) => string | undefined,
): string {
  const [one, other] = [a && textOf(a), b && textOf(b)];
  if (!a || !b || one === other) return other ?? one ?? '';
  return `${one ?? '–'} → ${other ?? '–'}`;
}

/** The places that differ, and the error that came. */
function detailLines({ item: { value: row }, belowGuide }: TreeLine<ComparedRow>): string[] {
  const cause = row.call?.cause;
  if (row.call === undefined || !cause) return [];
  const room = Math.max(screenWidth() - displayWidth(belowGuide), LEAST_NAME_LENGTH);
  const changes = 'changes' in cause && !isPassedOn(row.call) ? cause.changes : [];
  const most = row.call.isOrigin ? MAX_ORIGIN_CHANGES : 1;
  const rest = changes.length - most;
  const told = [
    ...errorLines(row.call),
    ...changes.slice(0, most).map(changeText),
    ...(rest > 0 ? [`… ${rest === 1 ? '1 more place' : `${formatCount(rest)} more places`}, see --json`] : []),
  ];
  return told.map((text) => `${colors.dim(belowGuide)}${colors.dim(cutToWidth(text, room))}`);
}

/** Of a call that fails its output is none. */
function isPassedOn({ cause }: ComparedCall): boolean {
  return cause?.kind === 'output' && (cause.ends.a === 'failed' || cause.ends.b === 'failed');
}

function errorLines({ a, b, cause, isOrigin }: ComparedCall): string[] {
  if (cause?.kind !== 'output' || !isOrigin) return [];
  const sides = [
    ['A', a],
    ['B', b],
  ] as const;
  return sides.flatMap(([letter, call]) => {
    const [first = ''] = call?.exception?.split('\n', 1) ?? [];
    return call?.exception == null ? [] : [`${letter}: ${toLine(first, MAX_ERROR_LENGTH)}`];
  });
}
