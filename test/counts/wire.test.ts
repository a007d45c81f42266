import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { flush, init, shutdown, traced } from 'spoor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acknowledge } from './acknowledge.ts';
import { makeHome } from '../flow/service-process.ts';

/*
 * What goes over the wire for each call, in counts that are the same in every run: ids and times have a fixed length.
 * More than here is paid by everybody who records.
 */

const { home, remove } = makeHome();
const bodies: Buffer[] = [];
let service: Server;

beforeAll(async () => {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await acknowledge(request, response);
    if (request.url === '/call/upsert_batch') bodies.push(body);
  };
  service = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  init({ url: `http://127.0.0.1:${port}`, apiKey: 'key', project: 'acme/counts', home });
});

afterAll(async () => {
  await shutdown();
  service.closeAllConnections();
  service.close();
  remove();
});

const step = traced(
  async function step(question: string) {
    return question;
  },
  { op: false },
);

const root = traced(
  async function root<T>(work: () => Promise<T>) {
    return work();
  },
  { op: false, inputs: false, output: false },
);

/** Bodies of the requests for calls that are made at once below one root, which is delivered before and after them. */
async function bodiesOf(count: number): Promise<Buffer[]> {
  let own: Buffer[] = [];
  await root(async () => {
    await flush();
    bodies.length = 0;
    await Promise.all(Array.from({ length: count }, () => step('question')));
    await flush();
    own = [...bodies];
  });
  await flush();
  return own;
}

function bytesOf(each: readonly Buffer[]): number {
  return each.reduce((sum, body) => sum + body.length, 0);
}

test('a small call that has a parent is 530 bytes on the wire, start and end', async () => {
  const few = bytesOf(await bodiesOf(10));
  const more = bytesOf(await bodiesOf(110));
  expect((more - few) / 100).toBe(530);
});

test('three thousand calls are delivered in three requests', async () => {
  const requests = await bodiesOf(3000);
  const sizes = requests.map((body) => (JSON.parse(body.toString()) as { batch: unknown[] }).batch.length);
  // Two requests are under way at once, over two connections: which of them has come whole first is not ours to say.
  expect(sizes.toSorted((a, b) => b - a)).toEqual([2048, 2048, 1904]);
});

test('a root says of its process what is in this list, and nothing else', async () => {
  await root(async () => undefined);
  bodies.length = 0;
  await root(async () => undefined);
  await flush();
  const { batch } = JSON.parse(bodies[0]?.toString() ?? '') as {
    batch: { req: { start?: Record<string, unknown> } }[];
  };
  const start = batch.find(({ req }) => req.start !== undefined)?.req.start as { attributes: { svc: object } };
  expect(Object.keys(start)).toMatchInlineSnapshot(`
    [
      "project_id",
      "op_name",
      "id",
      "trace_id",
      "started_at",
      "attributes",
      "inputs",
    ]
  `);
  // In a checkout it says of which commit, too, and on Linux when it began.
  const known = Object.keys(start.attributes.svc).filter((key) => key !== 'git_commit' && key !== 'pid_started');
  expect(known).toMatchInlineSnapshot(`
    [
      "client_version",
      "source",
      "os_name",
      "os_release",
      "os_version",
      "sys_version",
      "host",
      "pid",
      "pid_namespace",
      "package",
      "code_file",
      "code_line",
    ]
  `);
});
