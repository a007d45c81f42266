import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { post, type ServiceProcess } from '../flow/service-process.ts';

export const PROJECT = 'acme/load';

type Target = Pick<ServiceProcess, 'url' | 'apiKey'>;

interface Filling {
  /** About so many bytes of inputs in all. */
  readonly bytes: number;
  /** Bytes of the inputs of one call. */
  readonly callBytes: number;
}

/** Fills a project with complete calls whose inputs hardly repeat themselves; returns how many there are. */
export async function fillProject(target: Target, { bytes, callBytes }: Filling): Promise<number> {
  const perBatch = Math.max(1, Math.floor((4 * 1024 * 1024) / callBytes));
  const batches = Math.ceil(bytes / callBytes / perBatch);
  const waiting = Array.from({ length: batches }, (_, index) => index);
  const lane = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const answer = await post(target, '/call/upsert_batch', { batch: batchOf(index, perBatch, callBytes) });
      if (!answer.ok) throw new Error(`The service refused a batch: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all([lane(), lane()]);
  return batches * perBatch;
}

function batchOf(batch: number, count: number, callBytes: number): unknown[] {
  // The same blocks of random text in another order for each call: as hard to pack as user data gets.
  const blocks = Array.from({ length: 16 }, () => randomBytes(Math.ceil(callBytes / 32)).toString('hex'));
  return Array.from({ length: count }, (_, index) => {
    const call = { project_id: PROJECT, id: `b${batch}-${index}` };
    const text = blocks.map((_block, place) => blocks[(place + index) % blocks.length]).join(' ');
    const start = {
      ...call,
      op_name: 'load',
      started_at: new Date(1767225600000 + batch * 1000 + index).toISOString(),
    };
    return [
      { mode: 'start', req: { start: { ...start, inputs: { text } } } },
      { mode: 'end', req: { end: { ...call, ended_at: new Date(1767225660000 + batch * 1000).toISOString() } } },
    ];
  }).flat();
}

export interface ExportOptions {
  readonly isPacked: boolean;
  /** Breaks the transfer off after so many bytes. @default Infinity */
  readonly cutAfterBytes?: number;
  /** @default 'acme/load' */
  readonly project?: string;
}

/** Reads an export of the project and throws it away; returns the bytes that came over the wire and their lines. */
export function readExport(target: Target, options: ExportOptions): Promise<{ bytes: number; lines: number }> {
  const { isPacked, cutAfterBytes = Infinity, project = PROJECT } = options;
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let lines = 0;
    const outgoing = request(`${target.url}/calls/stream_query`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${target.apiKey}`,
        'content-type': 'application/json',
        ...(isPacked && { 'accept-encoding': 'gzip' }),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
        if (bytes < cutAfterBytes) return;
        response.removeAllListeners('error').on('error', () => undefined);
        response.destroy();
        resolve({ bytes, lines });
      });
      response.on('error', reject);
      response.on('end', () => resolve({ bytes, lines }));
    });
    outgoing.end(JSON.stringify({ project_id: project }));
  });
}

/** Asks for an export and never reads it. */
export async function openStalledExport({ url, apiKey }: Target, isPacked = false): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  const body = JSON.stringify({ project_id: PROJECT });
  const head = [
    'POST /calls/stream_query HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${apiKey}`,
    ...(isPacked ? ['accept-encoding: gzip'] : []),
    `content-length: ${body.length}`,
  ];
  await new Promise<void>((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve()));
  return socket;
}
