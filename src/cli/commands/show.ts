import type { Call, CallFilter } from '../../protocol/call.ts';
import { field, type Reader } from '../../reader/reader.ts';
import { type ServiceOptions, serviceOf } from '../known-service.ts';
import type { TraceTarget } from '../find-trace.ts';
import { namedTrace, newestTrace } from '../named-trace.ts';
import { agentText } from '../output/for-agent.ts';
import { printJson } from '../output/json.ts';
import { traceLines } from '../output/trace.ts';
import type { TreeItem } from '../output/tree.ts';
import { pageAddress } from '../page-link.ts';
import { saveHtml } from '../save-html.ts';
import { shownStatusesOf } from '../shown-status.ts';
import { callsOf, treeBelow, treesOf } from '../trace-tree.ts';

export interface ShowOptions extends ServiceOptions {
  readonly full?: true;
  readonly json?: true;
  /** Tokens that may be printed for a program that reads them. */
  readonly forAgent?: number;
  /** A path; true: a name made of the id. */
  readonly html?: string | true;
}

/** The columns that the tree needs; inputs, output and attributes may be large. */
const SHORT_COLUMNS = ['display_name', 'parent_id', 'thread_id', 'ended_at', 'exception', 'summary'];

/** Prints a trace, or the part of it below one call; without an id the newest trace. */
export async function show(text: string | undefined, options: ShowOptions): Promise<void> {
  const { reader, project, target } = text === undefined ? await newestTrace(options) : await namedTrace(text, options);
  if (options.html !== undefined) {
    process.stdout.write(`${await saveHtml(reader, target.traceId, options.html)}\n`);
    return;
  }
  const isWhole = options.full === true || options.json === true || options.forAgent !== undefined;
  const filter = { trace_ids: [target.traceId] };
  const whole = { filter, include_costs: true };
  const trees = treesOf(await (isWhole ? collect(reader.calls.query(whole)) : shortCalls(reader, filter)));
  const roots = rootsOf(trees, target);
  if (options.json) return printJson({ trace_id: target.traceId, calls: roots.flatMap(callsOf) });
  const statusOf = shownStatusesOf(trees, Date.now());
  if (options.forAgent !== undefined) {
    process.stdout.write(`${agentText(roots, { project, statusOf, tokens: options.forAgent })}\n`);
    return;
  }
  const { url } = serviceOf(options);
  const addressOf = ({ id, trace_id: traceId }: Call) => pageAddress(url, { project, traceId, callId: id });
  for (const line of traceLines(roots, { project, isFull: options.full === true, statusOf, addressOf }))
    process.stdout.write(`${line}\n`);
  // For people only: who reads this with a program has the id.
  if (process.stdout.isTTY) process.stdout.write(`\n${pageAddress(url, { project, ...target })}\n`);
}

/** Without attributes but, where something has no end, those of the calls that tell their process. */
async function shortCalls(reader: Reader, filter: CallFilter): Promise<Call[]> {
  const calls = await collect(reader.calls.query({ filter, columns: SHORT_COLUMNS, include_costs: true }));
  if (calls.every((call) => call.ended_at !== null)) return calls;
  const query = field('attributes.svc.pid').isNull().not();
  const telling = await collect(reader.calls.query({ filter, query, columns: ['attributes'] }));
  const attributes = new Map(telling.map((call) => [call.id, call.attributes]));
  return calls.map((call) => ({ ...call, attributes: attributes.get(call.id) ?? {} }));
}

async function collect(calls: AsyncIterable<Call>): Promise<Call[]> {
  const all: Call[] = [];
  for await (const call of calls) all.push(call);
  return all;
}

function rootsOf(trees: readonly TreeItem<Call>[], { callId }: TraceTarget): readonly TreeItem<Call>[] {
  if (callId === undefined) return trees;
  const tree = treeBelow(trees, callId);
  return tree ? [tree] : [];
}
