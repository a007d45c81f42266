import { randomUUID } from 'node:crypto';
import type { Reader } from 'spoor/reader';

/** One call of a trace that is made up, with those below it. */
export interface Plan {
  /** Absent: a new one. */
  readonly id?: string;
  /** A name, or the reference of a version. */
  readonly op: string;
  readonly kind: string;
  /** From the start of the trace. */
  readonly fromMs: number;
  readonly ms: number;
  readonly inputs: Record<string, unknown>;
  readonly output?: unknown;
  readonly exception?: string;
  readonly usage?: Use;
  /** Of what came in parts: when the first of them did. */
  readonly firstChunkMs?: number;
  /** How many parts there were, and why there were no more. */
  readonly stream?: { readonly chunks: number; readonly reason: string };
  readonly attributes?: Record<string, unknown>;
  readonly calls?: readonly Plan[];
  /** Nobody has written its end. */
  readonly isOpen?: boolean;
}

export interface Use {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

/** Where the calls of a plan belong. */
export interface Belonging {
  readonly traceId: string;
  readonly parentId?: string;
  /** A conversation of which the outermost call is a turn. */
  readonly threadId?: string;
  readonly turnId?: string | undefined;
}

/** Records in one request. */
const BATCH = 400;

export async function writeRecords(reader: Reader, records: readonly object[]): Promise<void> {
  for (let at = 0; at < records.length; at += BATCH) {
    await reader.calls.write(records.slice(at, at + BATCH) as Parameters<Reader['calls']['write']>[0]);
  }
}

export function recordsOf(plan: Plan, began: number, to: Belonging = { traceId: randomUUID() }): object[] {
  const { traceId, parentId, threadId } = to;
  const id = plan.id ?? randomUUID();
  const turnId = threadId && (to.turnId ?? id);
  const start = {
    id,
    trace_id: traceId,
    ...(parentId !== undefined && { parent_id: parentId }),
    ...(threadId !== undefined && { thread_id: threadId, turn_id: turnId }),
    op_name: plan.op,
    started_at: new Date(began + plan.fromMs).toISOString(),
    attributes: { kind: plan.kind, env: 'production', ...plan.attributes },
    inputs: plan.inputs,
  };
  const below = (plan.calls ?? []).flatMap((call) => recordsOf(call, began, { ...to, parentId: id, turnId }));
  if (plan.isOpen === true) return [{ mode: 'start', req: { start } }, ...below];
  const end = {
    id,
    ended_at: new Date(began + plan.fromMs + plan.ms).toISOString(),
    ...(plan.exception === undefined ? { output: plan.output } : { exception: plan.exception }),
    summary: {
      usage: usageOf(usesOf(plan)),
      ...(plan.firstChunkMs !== undefined && { stream: { first_chunk_ms: plan.firstChunkMs, ...plan.stream } }),
    },
  };
  return [{ mode: 'start', req: { start } }, ...below, { mode: 'end', req: { end } }];
}

/** Of a call with all below it, as the library sums it up. */
function usesOf({ usage, calls = [] }: Plan): readonly Use[] {
  return [...(usage === undefined ? [] : [usage]), ...calls.flatMap(usesOf)];
}

function usageOf(uses: readonly Use[]): object {
  const sums: Record<string, Record<string, number>> = {};
  for (const { model, input, output, cached = 0 } of uses) {
    const sum = (sums[model] ??= { requests: 0, input_tokens: 0, output_tokens: 0, total_tokens: 0 });
    add(sum, { requests: 1, input_tokens: input, output_tokens: output, total_tokens: input + cached + output });
    if (cached > 0) add(sum, { cache_read_input_tokens: cached });
  }
  return sums;
}

function add(sum: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
}
