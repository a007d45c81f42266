import { Agent } from 'node:http';
import { hostname } from 'node:os';
import { namespaceHere } from '../../src/spool/process-here.ts';
import type { Target } from '../measure.ts';
import { idOf, ingest, type Load, post } from '../service/load.ts';

export const LIST_PROJECT = 'acme/lists';
export const TRACE_PROJECT = 'acme/traces';
export const LIVE_PROJECT = 'acme/live';

const DAYS = 10;
export const DAY_MS = 86_400_000;
const TRACE_CALLS = 10;
/** Of a trace in so many calls the first and the last one still run, in this process. */
const RUNNING_EVERY = 5000;
const KINDS = ['agent', 'llm', 'tool', 'retriever'];
const MODELS = ['gpt-5-mini', 'claude-sonnet-4-5', 'gemini-2.5-pro'];
const OPS = 20;
const USERS = 500;
const TEXT = 'It was the best of times, it was the worst of times, it was the age of wisdom. '.repeat(12);
const INPUT_CHARS = 560;

/** Calls of some days, in traces of ten, with kinds, models, users, threads, errors and some without an end; answers calls per second. */
export async function seedList(target: Target, calls: number): Promise<number> {
  const stepMs = (DAYS * DAY_MS) / calls;
  const beganAt = Date.now() - DAYS * DAY_MS;
  return await ingest(target, { calls }, (load) => listBatch(load, (n) => beganAt + n * stepMs));
}

function listBatch({ from = 0, calls }: Load, startOf: (n: number) => number): string {
  const items = Array.from({ length: calls }, (_, index) => {
    const n = from + index;
    const root = n - (n % TRACE_CALLS);
    return itemsOf({
      project: LIST_PROJECT,
      id: idOf(n),
      traceId: root.toString(16).padStart(32, '0'),
      parentId: n === root ? undefined : idOf(root),
      op: `svc:///${LIST_PROJECT}/op/op${n % OPS}:1`,
      kind: KINDS[n % TRACE_CALLS === 0 ? 0 : 1 + (n % 3)] ?? '',
      startMs: startOf(n),
      latencyMs: 50 + ((n * 7919) % 4000),
      model: n % 3 === 0 ? MODELS[n % MODELS.length] : undefined,
      thread: `chat-${Math.floor(n / 50)}`,
      user: `user-${n % USERS}`,
      hasFailed: n % 97 === 0,
      isRunning: n % RUNNING_EVERY === 0 || n % RUNNING_EVERY === TRACE_CALLS - 1,
      text: TEXT.slice(n % 80, (n % 80) + INPUT_CHARS),
    });
  });
  return `{"batch":[${items.join(',')}]}`;
}

interface SeededCall {
  readonly project: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly op: string;
  readonly kind: string;
  readonly startMs: number;
  readonly latencyMs: number;
  readonly model?: string | undefined;
  readonly thread?: string;
  readonly user?: string;
  readonly hasFailed?: boolean;
  readonly isRunning?: boolean;
  readonly text: string;
}

/** Written by hand, as the machine that measures must not be busy with JSON. */
function itemsOf(call: SeededCall): string {
  const head = `"project_id":"${call.project}","id":"${call.id}"`;
  const place = [
    `"trace_id":"${call.traceId}"`,
    ...(call.parentId === undefined ? [] : [`"parent_id":"${call.parentId}"`]),
    ...(call.thread === undefined ? [] : [`"thread_id":"${call.thread}"`]),
  ].join(',');
  const user = call.user === undefined ? '' : `,"user":"${call.user}"`;
  const isRunning = call.isRunning === true;
  const svc = isRunning && call.parentId === undefined ? `,"svc":${OWN_PROCESS}` : '';
  const attributes = `{"kind":"${call.kind}"${user}${svc}}`;
  const start = `{${head},${place},"op_name":"${call.op}","started_at":"${new Date(call.startMs).toISOString()}","attributes":${attributes},"inputs":{"text":"${call.text}"}}`;
  const result = call.hasFailed === true ? `"exception":"TimeoutError: no answer"` : `"output":{"text":"done"}`;
  const counts = `"requests":1,"input_tokens":1870,"output_tokens":440,"total_tokens":2310`;
  const summary = call.model === undefined ? '{}' : `{"usage":{"${call.model}":{${counts}}}}`;
  const end = `{${head},"ended_at":"${new Date(call.startMs + call.latencyMs).toISOString()}",${result},"summary":${summary}}`;
  return `{"mode":"start","req":{"start":${start}}}${isRunning ? '' : `,{"mode":"end","req":{"end":${end}}}`}`;
}

const OWN_PROCESS = JSON.stringify({ host: hostname(), pid: process.pid, pid_namespace: namespaceHere().own });

/** Calls below each call of a trace, and calls of one request. */
const BRANCHES = 10;
const BATCH = 500;

/** One trace of so many calls, each in the time of the one above it; answers its id. */
export async function seedTrace(target: Target, calls: number): Promise<string> {
  const traceId = calls.toString(16).padStart(32, 'f');
  const depth = Math.ceil(Math.log(calls) / Math.log(BRANCHES));
  const items: string[] = [];
  const beganAt = Date.now() - 3_600_000;
  let made = 0;
  const add = (level: number, parentId: string | undefined) => {
    const n = made++;
    const id = idOf(calls * 100 + n);
    const hasRoom = () => made < calls;
    if (level < depth) for (let branch = 0; branch < BRANCHES && hasRoom(); branch++) add(level + 1, id);
    items.push(
      itemsOf({
        project: TRACE_PROJECT,
        id,
        traceId,
        parentId,
        op: `svc:///${TRACE_PROJECT}/op/op${n % OPS}:1`,
        kind: KINDS[level % KINDS.length] ?? '',
        startMs: beganAt + n,
        latencyMs: made - n,
        model: n % 3 === 0 ? MODELS[n % MODELS.length] : undefined,
        hasFailed: n % 997 === 996,
        text: TEXT.slice(0, INPUT_CHARS),
      }),
    );
  };
  add(0, undefined);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let at = 0; at < items.length; at += BATCH) {
    await post(target, agent, '/call/upsert_batch', `{"batch":[${items.slice(at, at + BATCH).join(',')}]}`);
  }
  agent.destroy();
  return traceId;
}

/** Calls that are over as soon as they are told of, numbered from `from` on. */
export async function writeLive(target: Target, agent: Agent, { from = 0, calls }: Load): Promise<void> {
  const items = Array.from({ length: calls }, (_, index) => {
    const n = 500_000_000 + from + index;
    const traceId = n.toString(16).padStart(32, '0');
    const op = `svc:///${LIVE_PROJECT}/op/op${n % OPS}:1`;
    const place = { project: LIVE_PROJECT, id: idOf(n), traceId, parentId: undefined };
    return itemsOf({ ...place, op, kind: 'agent', startMs: Date.now() + index / 10, latencyMs: 900, text: TEXT });
  });
  await post(target, agent, '/call/upsert_batch', `{"batch":[${items.join(',')}]}`);
}
