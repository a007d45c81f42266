import { Agent, request } from 'node:http';
import type { Target } from '../measure.ts';

export const PROJECT = 'acme/bench';
/** Calls of a trace; the first trace has more. */
const TRACE_CALLS = 10;
export const LARGE_TRACE_CALLS = 200;
/** Of a kilobyte; fewer of larger ones. */
export const CALLS_PER_REQUEST = 500;
const CONNECTIONS = 4;
const OPS = 20;
const TOPICS = 10;
const KILOBYTE_CHARS = 780;
const START_MS = Date.UTC(2026, 0, 1);
const TEXT = 'It was the best of times, it was the worst of times, it was the age of wisdom. '.repeat(20);

/** What a load is made of. */
export interface Load {
  /** The first call. @default 0 */
  readonly from?: number;
  readonly calls: number;
  /** About so many characters are in the inputs of a call. @default 780 */
  readonly inputChars?: number;
}

/** Sends calls, start and end, over four connections; answers how many were acknowledged per second. */
export async function ingest(
  target: Target,
  { calls, inputChars = KILOBYTE_CHARS }: Load,
  makeBatch: (load: Load) => string = batchOf,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const perRequest = Math.ceil((CALLS_PER_REQUEST * KILOBYTE_CHARS) / inputChars);
  const startedAt = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < calls) {
      const from = next;
      next += perRequest;
      const body = makeBatch({ from, calls: Math.min(perRequest, calls - from), inputChars });
      await post(target, agent, '/call/upsert_batch', body);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
  return (calls * 1000) / (performance.now() - startedAt);
}

export function idOf(n: number): string {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

export function traceOf(n: number): string {
  const root = rootOf(n);
  return root.toString(16).padStart(32, '0');
}

export function opOf(n: number): string {
  return `svc:///${PROJECT}/op/op${n % OPS}:1`;
}

export function rootOf(n: number): number {
  return n < LARGE_TRACE_CALLS ? 0 : n - (n % TRACE_CALLS);
}

/** Calls that match a search for the topic: one of ten. */
export function topicOf(n: number): string {
  return `topic ${n % TOPICS}`;
}

/** What is in the inputs of this call and of no other. */
export function markOf(n: number): string {
  return `<${n}>`;
}

/** Written by hand, as the machine that measures must not be busy with JSON. */
export function batchOf({ from = 0, calls, inputChars = KILOBYTE_CHARS }: Load): string {
  const text = TEXT.repeat(Math.ceil((inputChars + 80) / TEXT.length));
  const items: string[] = [];
  for (let n = from; n < from + calls; n++) {
    const id = idOf(n);
    const parent = n === rootOf(n) ? '' : `"parent_id":"${idOf(rootOf(n))}",`;
    const head = `"project_id":"${PROJECT}","id":"${id}"`;
    const startedAt = new Date(START_MS + n).toISOString();
    const inputs = `{"topic":"${topicOf(n)}","text":"${markOf(n)} ${text.slice(n % 80, (n % 80) + inputChars)}"}`;
    const start = `{${head},"op_name":"${opOf(n)}","trace_id":"${traceOf(n)}",${parent}"started_at":"${startedAt}","attributes":{},"inputs":${inputs}}`;
    const end = `{${head},"ended_at":"${startedAt}","output":{"text":"${TEXT.slice(n % 80, (n % 80) + 200)}"},"summary":{}}`;
    items.push(`{"mode":"start","req":{"start":${start}}},{"mode":"end","req":{"end":${end}}}`);
  }
  return `{"batch":[${items.join(',')}]}`;
}

/** The body of the answer. Rejects when it is not 200. */
export function post({ url, apiKey }: Target, agent: Agent, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const outgoing = request(url + path, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`The service answered ${response.statusCode} to ${path}: ${text.slice(0, 300)}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}
