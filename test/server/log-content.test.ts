import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { SERVED, type ServedName } from '../../src/protocol/endpoints.ts';
import { loggedStack } from '../../src/server/http/logged-error.ts';
import { examplePath } from '../../src/server/openapi/operation.ts';
import { SegmentWriter } from '../../src/spool/segment-writer.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { type RunningServer, startServer } from './running-server.ts';

/** Stands in keys, bodies, files, literals and headers, and must not stand in the log. */
const MARK = 'marker';
const KEY = `${MARK}-key`;
const PROJECT = 'acme/demo';

const started = { project_id: PROJECT, started_at: '2026-01-01T00:00:00Z', trace_id: `${MARK}-trace` };
const start = {
  ...started,
  id: `${MARK}-call`,
  op_name: `${MARK}-op`,
  display_name: `${MARK}-name`,
  attributes: { [`${MARK}-attribute`]: `${MARK}-value` },
  inputs: { [`${MARK}-input`]: `${MARK}-value` },
};
const end = {
  project_id: PROJECT,
  id: `${MARK}-call`,
  ended_at: '2026-01-01T00:00:01Z',
  exception: `${MARK}-exception`,
  output: `${MARK}-output`,
  summary: { usage: { [`${MARK}-model`]: { prompt_tokens: 1 } } },
};
const query = { $expr: { $eq: [{ $getField: `inputs.${MARK}` }, { $literal: `${MARK}-literal` }] } };
const byId = { $expr: { $eq: [{ $getField: 'id' }, { $literal: `${MARK}-id` }] } };
const price = { prompt_token_cost: 1, completion_token_cost: 1, provider_id: MARK };
const digest = `${MARK}-digest`;
const ref = `svc:///${PROJECT}/call/${MARK}-call`;
const feedback = { project_id: PROJECT, svc_ref: ref, feedback_type: `${MARK}-type`, payload: { [MARK]: MARK } };
const span = {
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  name: `${MARK}-span`,
  kind: 3,
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225601500000000',
  attributes: [{ key: `${MARK}-key`, value: { stringValue: `${MARK}-value` } }],
};

/** A request that makes sense for each endpoint with a body. */
const BODIES = {
  callStart: { start },
  callEnd: { end },
  callUpsertBatch: {
    batch: [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ],
  },
  callsDelete: { project_id: PROJECT, call_ids: [`${MARK}-call`] },
  callUpdate: { project_id: PROJECT, call_id: `${MARK}-call`, display_name: `${MARK}-other` },
  callRead: { project_id: PROJECT, id: `${MARK}-call` },
  callsQueryStats: { project_id: PROJECT, query },
  callsStreamQuery: { project_id: PROJECT, query, include_costs: true },
  costCreate: { project_id: PROJECT, costs: { [`${MARK}-model`]: price } },
  costQuery: { project_id: PROJECT, query: byId },
  costPurge: { project_id: PROJECT, query: byId },
  feedbackCreate: feedback,
  feedbackQuery: { project_id: PROJECT, query: byId },
  feedbackPurge: { project_id: PROJECT, query: byId },
  feedbackReplace: { ...feedback, feedback_id: `${MARK}-feedback` },
  fileCreate: { project_id: PROJECT, name: `${MARK}-file`, content: Buffer.from(MARK).toString('base64') },
  fileContent: { project_id: PROJECT, digest },
  filesQueryStats: { project_id: PROJECT },
  objCreate: { obj: { project_id: PROJECT, object_id: `${MARK}-object`, val: { [MARK]: MARK } } },
  objRead: { project_id: PROJECT, object_id: `${MARK}-object`, digest: 'latest' },
  objsQuery: { project_id: PROJECT, filter: { object_ids: [`${MARK}-object`] } },
  objDelete: { project_id: PROJECT, object_id: `${MARK}-object`, digests: [digest] },
  otelExportTraces: {
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'svc.entity', value: { stringValue: 'acme' } },
            { key: 'svc.project', value: { stringValue: 'demo' } },
          ],
        },
        scopeSpans: [{ spans: [span] }],
      },
    ],
  },
  refsReadBatch: { refs: [`svc:///${PROJECT}/object/${MARK}-object:${digest}`] },
  tableCreate: { table: { project_id: PROJECT, rows: [{ [MARK]: MARK }] } },
  tableUpdate: { project_id: PROJECT, base_digest: digest, updates: [{ append: { row: { [MARK]: MARK } } }] },
  tableQuery: { project_id: PROJECT, digest, sort_by: [{ field: MARK, direction: 'asc' }] },
  tableQueryStats: { project_id: PROJECT, digest },
  tableQueryStatsBatch: { project_id: PROJECT, digests: [digest] },
  threadsStreamQuery: { project_id: PROJECT, filter: { thread_ids: [`${MARK}-thread`] } },
  callsComplete: { batch: [{ ...start, ...end, trace_id: `${MARK}-trace` }] },
  projectCallStart: { start },
  projectCallEnd: { end },
  feedbackBatchCreate: { batch: [feedback] },
} satisfies Record<string, object>;

const HEADERS = {
  'user-agent': `${MARK}-agent`,
  accept: `${MARK}/type`,
  cookie: `${MARK}=cookie`,
  'svc-api-key': KEY,
  referer: `http://${MARK}.example`,
};

/** Requests as they should be, and wrong in every way there is. */
function requestsOf(name: string): { body: string | FormData; headers?: Record<string, string> }[] {
  const body = BODIES[name as keyof typeof BODIES];
  const form = new FormData();
  form.set('project_id', PROJECT);
  form.set('file', new Blob([MARK]), `${MARK}-name`);
  const text = JSON.stringify(body);
  return [
    { body: text },
    { body: JSON.stringify({ ...body, [`${MARK}-unknown`]: MARK }) },
    { body: JSON.stringify({ ...body, project_id: { [MARK]: MARK } }) },
    { body: JSON.stringify({ ...body, project_id: `${MARK}:${MARK}` }) },
    { body: text.replaceAll(`"${MARK}-`, `"${MARK}\\u0000/:-`) },
    { body: `{"${MARK}": ${MARK}` },
    { body: `["${MARK}"]` },
    { body: form },
    { body: text, headers: { 'content-type': `${MARK}/type` } },
    { body: text, headers: { 'content-encoding': MARK } },
    { body: text, headers: { 'svc-dialect': MARK } },
    { body: text, headers: { 'svc-dialect': 'w' } },
    { body: text, headers: { authorization: `Bearer ${MARK}-wrong` } },
    { body: text, headers: { authorization: `Basic ${btoa(`${MARK}:${MARK}`)}` } },
    { body: text, headers: { authorization: `${MARK} nonsense` } },
  ];
}

async function driveAll(server: RunningServer): Promise<void> {
  for (const [name, endpoint] of Object.entries(SERVED)) {
    if (endpoint.method === 'GET') {
      await ask(server, `${endpoint.path}?ip=${MARK}&${MARK}=${MARK}`, { headers: HEADERS });
      continue;
    }
    for (const { body, headers } of requestsOf(name)) {
      await ask(server, `${examplePath(endpoint.path)}?${MARK}=${MARK}`, {
        method: 'POST',
        body,
        headers: { ...HEADERS, ...headers },
      });
    }
  }
}

/** Of refused requests of one address only the first are logged, so each comes from another one. */
let clients = 0;

/** Not by `server.post`, which holds answers against the document: here only the log counts. */
async function ask(server: RunningServer, path: string, { headers, ...init }: RequestInit): Promise<void> {
  const key = { authorization: `Bearer ${KEY}` };
  clients += 1;
  const client = { 'x-forwarded-for': `10.0.${clients >> 8}.${clients & 255}, ${MARK}-address` };
  const response = await fetch(server.url + path, { ...init, headers: { ...key, ...(headers as object), ...client } });
  // A stream that breaks is one of the things that are logged.
  await response.arrayBuffer().catch(() => undefined);
  await server.logged(response.headers.get('svc-request-id') ?? '');
}

/** A storage that fails at everything, in words that quote what it was about. */
function brokenStorage(makeError: () => Error): Storage {
  const storage = openMemoryStorage();
  const fail = (target: object) =>
    new Proxy(target, {
      get: (_target, method) =>
        ['query', 'rows'].includes(String(method))
          ? // oxlint-disable-next-line require-yield -- it fails before there is anything to yield
            async function* () {
              throw makeError();
            }
          : async () => {
              throw makeError();
            },
    });
  const stores = ['calls', 'objects', 'files', 'costs', 'feedback', 'tables', 'threads'] as const;
  return Object.assign({ ...storage }, Object.fromEntries(stores.map((name) => [name, fail(storage[name])])));
}

const servers: RunningServer[] = [];

beforeAll(async () => {
  const options = { apiKey: KEY, limits: { request_bytes: 20_000 }, trustProxy: ['all'] };
  const quoting = () => new RangeError(`Cannot write "${MARK} and "${MARK}": too "much`);
  const parsing = () => new SyntaxError(`Cannot convert ${MARK} to a BigInt`);
  servers.push(await startServer(options));
  servers.push(await startServer({ ...options, storage: brokenStorage(quoting) }));
  servers.push(await startServer({ ...options, storage: brokenStorage(parsing) }));
  for (const server of servers) await driveAll(server);
}, 60_000);
afterAll(async () => {
  for (const server of servers) await server.close();
});

test('every endpoint with a body was asked', () => {
  const posts = Object.entries(SERVED).filter(([, { method }]) => method === 'POST');
  expect(Object.keys(BODIES).sort()).toEqual(posts.map(([name]): string => name as ServedName).sort());
});

test('no line of the log holds a key, a header or anything of a body', () => {
  const lines = servers.flatMap(({ log }) => log.map((line) => JSON.stringify(line)));
  const encoded = Buffer.from(MARK).toString('base64').replace(/=+$/, '');
  expect(lines.length).toBeGreaterThan(1000);
  expect(lines.filter((line) => line.includes(MARK) || line.includes(encoded))).toEqual([]);
});

/** Lines without those of the service's own work. */
function ofRequests(log: (typeof servers)[number]['log']): (typeof servers)[number]['log'] {
  return log.filter(({ msg }) => msg !== 'round of retention ended');
}

test('every line tells the request it is of, and how it went', () => {
  for (const { log } of servers) {
    for (const line of ofRequests(log)) {
      expect(line).toMatchObject({
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        method: expect.stringMatching(/^(?:GET|POST)$/) as string,
        path: expect.stringMatching(/^\/[a-z0-9_/]+$/) as string,
        status: expect.any(Number) as number,
        ms: expect.any(Number) as number,
        address: expect.stringMatching(/^[\d.]+$/) as string,
        msg: expect.stringMatching(/^request (?:answered|refused|failed)$/) as string,
      });
    }
  }
  const statuses = new Set(servers.flatMap(({ log }) => log.map(({ status }) => status)));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 415, 422, 500]));
});

test('a failure of ours is told with what it was and where', () => {
  const failures = servers.map(({ log }) => log.find(({ status }) => status === 500)?.['stack']);
  expect(failures).toEqual([
    undefined,
    expect.stringMatching(/^RangeError: Cannot write "…"much\n\s+at /),
    expect.stringMatching(/^SyntaxError\n\s+at /),
  ]);
});

test('a stack keeps what the system says, and leaves out what is quoted', () => {
  const first = (error: unknown) => loggedStack(error).split('\n', 1)[0];
  expect(first(new Error('ENOSPC: no space left on device, write'))).toBe(
    'Error: ENOSPC: no space left on device, write',
  );
  expect(first(new Error("reading 'a\nb' of `c`"))).toBe('Error: reading "…"');
  expect(first(new SyntaxError('x is not JSON'))).toBe('SyntaxError');
  expect(loggedStack('marker')).toBe('string');
});

test('what is no HTTP, or a tunnel, is logged without its words', async () => {
  const server = await startServer({ apiKey: KEY });
  onTestFinished(() => server.close());
  for (const text of [`${MARK} / HTTP/9\r\n\r\n`, `CONNECT ${MARK}.example:443 HTTP/1.1\r\n\r\n`]) {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(text);
    await once(socket.resume(), 'close');
  }
  expect(ofRequests(server.log)).toHaveLength(2);
  expect(JSON.stringify(server.log)).not.toContain(MARK);
});

test('a client that leaves before it is answered has no status', async () => {
  const server = await startServer({ apiKey: KEY });
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  const head = `POST /call/read HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\nsvc-request-id: left`;
  socket.write(`${head}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  expect(await server.logged('left')).toMatchObject({ status: null, msg: 'request cut off' });
});

test('records of the spool that are refused are named without what is in them', async () => {
  const home = mkdtempSync(join(tmpdir(), 'spoor-log-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const server = await startServer({ home, apiKey: KEY });
  onTestFinished(() => server.close());
  const wrong = { mode: 'start', req: { start: { ...start, id: `${MARK}/${MARK}` } } };
  const writer = new SegmentWriter(home, { url: null, project: PROJECT });
  writer.append(Buffer.from(`${JSON.stringify(wrong)}\n{"${MARK}":"${MARK}"}\n`));
  writer.close().release();
  await vi.waitFor(() => expect(JSON.stringify(server.log)).toContain('spooled record refused'), { timeout: 10_000 });
  expect(JSON.stringify(server.log)).not.toContain(MARK);
});
