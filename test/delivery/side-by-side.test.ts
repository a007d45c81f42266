import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_BATCH_ITEMS } from '../../src/delivery/batch/batcher.ts';
import { Delivery } from '../../src/delivery/delivery.ts';
import { HttpTransport } from '../../src/delivery/transport/http-transport.ts';
import { WorkerTransport } from '../../src/delivery/transport/worker-transport.ts';
import { start } from './call-records.ts';

const AT_ONCE = 4;
const BATCHES = 3 * AT_ONCE;
/** Who sends one after the other waits that long for an answer. */
const DELIVER_MS = 20_000;

/** In a thread of its own, as this one waits. It answers when so many requests are open, and counts them. */
const SERVICE = `
  const { parentPort } = require('node:worker_threads');
  const { gunzipSync } = require('node:zlib');
  const held = [];
  let mostOpen = 0;
  const server = require('node:http').createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { batch } = JSON.parse(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
    const res = batch.map(({ req }) => ({ id: req.start.id, trace_id: '' }));
    held.push(() => response.setHeader('content-type', 'application/json').end(JSON.stringify({ res })));
    mostOpen = Math.max(mostOpen, held.length);
    if (held.length === ${AT_ONCE}) for (const answer of held.splice(0)) answer();
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => parentPort.postMessage(mostOpen));`;

let service: Worker;
let url: string;

beforeEach(async () => {
  service = new Worker(SERVICE, { eval: true, execArgv: [] });
  const [port] = (await once(service, 'message')) as [number];
  url = `http://127.0.0.1:${port}`;
});
afterEach(() => service.terminate());

async function mostOpen(): Promise<number> {
  service.postMessage('how many?', []);
  return ((await once(service, 'message')) as [number])[0];
}

test('where no disk takes anything the end sends several requests at once', { timeout: 60_000 }, async () => {
  const version = '0';
  const delivery = new Delivery({
    home: undefined,
    resolveTarget: () => ({ url, apiKey: 'key' }),
    segmentTarget: { url: null, project: 'local/test' },
    openTransport: (target) => new HttpTransport({ ...target, version, timeoutMs: DELIVER_MS }),
    openBlockingTransport: (target, deadline) => new WorkerTransport({ ...target, version, deadline }),
    report: () => undefined,
  });
  const count = BATCHES * MAX_BATCH_ITEMS;
  for (let n = 0; n < count; n++) delivery.writeCall(start(`c${n}`));
  delivery.end({ deliverMs: DELIVER_MS });
  const { recorded, sent, dropped } = delivery.stats();
  delivery.close();
  expect({ recorded, sent, dropped, mostOpen: await mostOpen() }).toEqual({
    recorded: count,
    sent: count,
    dropped: 0,
    mostOpen: AT_ONCE,
  });
});
