import type { Call } from '../../protocol/call.ts';
import { costOfTrace } from '../../reader/call-cost.ts';
import { durationOf, modelsOf, nameOf, tokensOf } from '../call-row.ts';
import type { ShownStatus } from '../shown-status.ts';
import { callsOf } from '../trace-tree.ts';
import { folded } from './fold.ts';
import { shortenFiles } from './file-marker.ts';
import { formatCost } from './money.ts';
import { formatCount, formatDurations } from './numbers.ts';
import { toLine, toPlainText } from './plain-text.ts';
import { wordOf } from './status.ts';
import { type TreeItem, treeLines } from './tree.ts';

export interface AgentTextOptions {
  readonly project: string;
  readonly statusOf: (call: Call) => ShownStatus;
  /** At most so many tokens. */
  readonly tokens: number;
}

/** No usual tokenizer takes fewer bytes of UTF-8 for a token of such text, on average. */
const BYTES_PER_TOKEN = 3;
/** Of one input, output or error. */
const MAX_VALUE_CHARACTERS = 1200;
/** Of the room that is left when a section begins, it may take so much; what it leaves is for the next ones. */
const SHARES = { errors: 0.4, tree: 0.6, values: 1 };

/**
 * A trace as a program reads it that pays by the token: what failed first, then the tree, then inputs and outputs, each
 * long text cut with its length, and at the end how to read on.
 */
export function agentText(roots: readonly TreeItem<Call>[], options: AgentTextOptions): string {
  const calls = roots.flatMap(callsOf);
  const [first] = calls;
  if (first === undefined) return '';
  const head = headOf(first, calls, options);
  const foot = footOf(first);
  const room = new Room(options.tokens * BYTES_PER_TOKEN - bytesOf(head) - bytesOf(foot));
  const failed = originsOf(roots);
  return [
    head,
    ...room.section('Errors', SHARES.errors, failed.map(errorText)),
    ...room.section('Tree', SHARES.tree, treeTexts(roots, options)),
    ...room.section('Inputs and outputs', SHARES.values, valueTexts(first, failed, calls)),
    foot,
  ].join('\n');
}

function headOf(first: Call, calls: readonly Call[], { project, statusOf }: AgentTextOptions): string {
  const duration = durationOf(first);
  const cost = costOfTrace(calls);
  const facts = [
    `trace ${first.trace_id}`,
    `project ${project}`,
    `started ${first.started_at}`,
    `${formatCount(calls.length)} calls`,
    `status ${wordOf(statusOf(first))}`,
    ...(duration === undefined ? [] : [`took ${formatDurations([duration])}`]),
    ...(cost === undefined ? [] : [`cost ${formatCost(cost)}`]),
  ];
  return `# ${toLine(nameOf(first), 100)}\n${facts.map((fact) => toLine(fact, 200)).join('; ')}`;
}

function footOf({ trace_id: trace }: Call): string {
  return (
    `\nRead on: "spoor show <call id> --for-agent" shows a call with what is below it, "spoor show <call id> --full" all texts, ` +
    `"spoor show ${toLine(trace)} --json" all fields.`
  );
}

/** Failed calls from which an error came: none of those below them has the same one. */
function originsOf(roots: readonly TreeItem<Call>[]): Call[] {
  return roots
    .flatMap((root) => [...treeLines([root])])
    .flatMap(({ item: { value: call, children } }) => {
      const isPassedOn = children.some(({ value }) => value.exception !== null && value.exception === call.exception);
      return call.exception === null || isPassedOn ? [] : [call];
    });
}

function errorText(call: Call): string {
  return `- ${toLine(nameOf(call), 100)} (call ${toLine(call.id)})\n${indented(cut(call.exception ?? ''))}`;
}

function treeTexts(roots: readonly TreeItem<Call>[], { statusOf }: AgentTextOptions): string[] {
  return [...treeLines(folded(roots))].map(({ item: { value: calls }, depth }) => {
    const [call] = calls;
    const durations = calls.flatMap((each) => durationOf(each) ?? []);
    const tokens = tokensOf(call);
    const facts = [
      wordOf(statusOf(call)),
      ...(durations.length === 0 ? [] : [formatDurations(durations)]),
      ...(tokens === undefined ? [] : [`${formatCount(tokens.total)} tokens`, ...modelsOf(call)]),
      `call ${call.id}`,
    ];
    const count = calls.length === 1 ? '' : `${formatCount(calls.length)} × `;
    return `${'  '.repeat(depth)}- ${count}${toLine(nameOf(call), 100)}: ${toLine(facts.join(', '), 300)}`;
  });
}

/** Of the first call, of those that failed, and of those that asked a model. */
function valueTexts(first: Call, failed: readonly Call[], calls: readonly Call[]): string[] {
  const asking = calls.filter((call) => call !== first && tokensOf(call) !== undefined);
  return [...new Set([first, ...failed, ...asking])].map((call) => {
    const output = call.output === null ? [] : ['  output:', indented(cut(textOf(call.output)))];
    const lines = ['  inputs:', indented(cut(textOf(call.inputs))), ...output];
    return [`- ${toLine(nameOf(call), 100)} (call ${toLine(call.id)})`, ...lines].join('\n');
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, shortenFiles);
}

function cut(text: string): string {
  const plain = toPlainText(text.slice(0, MAX_VALUE_CHARACTERS)).trimEnd();
  return text.length <= MAX_VALUE_CHARACTERS ? plain : `${plain} … (${formatCount(text.length)} characters in all)`;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function bytesOf(text: string): number {
  // With the end of its line.
  return Buffer.byteLength(text) + 1;
}

/** A character of JavaScript is at most three bytes. */
function cutToBytes(text: string, bytes: number): string {
  return `${text.slice(0, Math.max(0, Math.floor(bytes / 3) - 2))}…`;
}

/** The room that is left to print in, in bytes. */
class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** The entries that have room under their title, and how many have not; nothing where there are none. */
  section(title: string, share: number, entries: readonly string[]): string[] {
    const heading = `\n## ${title}`;
    const more = (count: number) => `… ${formatCount(count)} more`;
    let room = this.#left * share - bytesOf(heading) - bytesOf(more(entries.length));
    if (entries.length === 0 || room < 0) return [];
    const shown: string[] = [];
    for (const entry of entries) {
      const isFirst = shown.length === 0;
      const fitting = isFirst && bytesOf(entry) > room ? cutToBytes(entry, room) : entry;
      room -= bytesOf(fitting);
      if (room < 0) break;
      shown.push(fitting);
    }
    const rest = entries.length - shown.length;
    const lines = [heading, ...shown, ...(rest === 0 ? [] : [more(rest)])];
    this.#left -= lines.reduce((sum, line) => sum + bytesOf(line), 0);
    return lines;
  }
}
