import type { Call } from '../../protocol/call.ts';
import { parseRef, REF_SCHEME, type RefParts } from '../../protocol/ref.ts';
import { callsOf, treeBelow, treesOf } from '../trace-tree.ts';
import { type ConnectionOptions, connect } from '../connection.ts';
import { UsageError } from '../failure.ts';
import { findTrace, type TraceTarget } from '../find-trace.ts';
import { printJson } from '../output/json.ts';
import { traceLines } from '../output/trace.ts';
import type { TreeItem } from '../output/tree.ts';

export interface ShowOptions extends ConnectionOptions {
  readonly full?: true;
  readonly json?: true;
}

/** What the tree needs; inputs, output and attributes may be large. */
const SHORT_COLUMNS = ['display_name', 'parent_id', 'thread_id', 'ended_at', 'exception', 'summary'];

/** Prints a trace, or the part of it below one call. */
export async function show(text: string, options: ShowOptions): Promise<void> {
  const { id, project: named } = parseTarget(text);
  const { reader, project } = connect(named === undefined ? options : { ...options, project: named });
  const target = await findTrace(reader, id);
  const columns = options.full || options.json ? undefined : { columns: SHORT_COLUMNS };
  const calls: Call[] = [];
  for await (const call of reader.calls.query({ filter: { trace_ids: [target.traceId] }, ...columns }))
    calls.push(call);
  const roots = rootsOf(calls, target);
  if (options.json) return printJson({ trace_id: target.traceId, calls: roots.flatMap(callsOf) });
  for (const line of traceLines(roots, { project, isFull: options.full === true })) process.stdout.write(`${line}\n`);
}

/** A call reference names its project too. */
function parseTarget(text: string): { readonly id: string; readonly project?: string } {
  if (text === '') throw new UsageError('The id is empty');
  if (!text.startsWith(REF_SCHEME)) return { id: text };
  const ref = parseRefArgument(text);
  if (ref.kind !== 'call') throw new UsageError(`The reference is of kind ${ref.kind}; only calls can be shown`);
  return { id: ref.id, project: `${ref.entity}/${ref.project}` };
}

function parseRefArgument(text: string): RefParts {
  try {
    return parseRef(text);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function rootsOf(calls: readonly Call[], { callId }: TraceTarget): readonly TreeItem<Call>[] {
  const roots = treesOf(calls);
  if (callId === undefined) return roots;
  const tree = treeBelow(roots, callId);
  return tree ? [tree] : [];
}
