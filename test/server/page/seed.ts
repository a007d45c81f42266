import type { RunningServer } from '../running-server.ts';

export const PROJECT = 'acme/demo';

interface SeedCall {
  readonly id: string;
  readonly parent?: string;
  readonly op?: string;
  readonly at?: number;
  readonly ms?: number | null;
  readonly exception?: string;
  readonly kind?: string;
  readonly model?: string;
  /** By model, instead of a hundred tokens in and twenty out. */
  readonly usage?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly inputs?: object;
  readonly output?: unknown;
  readonly project?: string;
  readonly thread?: string;
}

const START_MS = Date.UTC(2026, 0, 1);

/** Writes calls, each by its place in time in seconds after the new year. */
export async function seed(server: RunningServer, calls: readonly SeedCall[]): Promise<void> {
  const batch = calls.flatMap((call) => [startOf(call), ...(call.ms === null ? [] : [endOf(call)])]);
  const answer = await server.post('/call/upsert_batch', { batch });
  if (answer.status !== 200) throw new Error(answer.text);
}

function startOf({ id, parent, op = 'answer', at = 0, kind, inputs = {}, project = PROJECT, thread }: SeedCall) {
  const start = {
    project_id: project,
    id,
    op_name: op,
    trace_id: 'trace-1',
    parent_id: parent ?? null,
    thread_id: thread ?? null,
    started_at: new Date(START_MS + at * 1000).toISOString(),
    attributes: kind === undefined ? {} : { kind },
    inputs,
  };
  return { mode: 'start', req: { start } };
}

function endOf({ id, at = 0, ms = 1000, exception, model, usage, output = null, project = PROJECT }: SeedCall) {
  const used = model === undefined ? usage : { [model]: { input_tokens: 100, output_tokens: 20, requests: 1 } };
  const end = {
    project_id: project,
    id,
    ended_at: new Date(START_MS + at * 1000 + (ms ?? 0)).toISOString(),
    exception: exception ?? null,
    output,
    summary: used === undefined ? {} : { usage: used },
  };
  return { mode: 'end', req: { end } };
}
