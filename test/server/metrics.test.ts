import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ENDPOINTS } from '../../src/protocol/endpoints.ts';
import { PACKAGE_VERSION } from '../../src/protocol/version.ts';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { METRICS } from '../../src/server/metrics/metrics.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function scrape(server: RunningServer): Promise<string> {
  const { status, headers, text } = await server.get('/metrics');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return text;
}

/** Value of one sample, named as it stands in the text; undefined when it is not there. */
function valueOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

const requests = (endpoint: string, method: string, status: string) =>
  `spoor_http_requests_total{endpoint="${endpoint}",method="${method}",status="${status}"}`;

test('requests are counted from the first on, by route, method and status', async () => {
  const server = await start();
  await server.get('/version');
  await server.get('/version');
  await server.get('/version', { authorization: 'Bearer wrong' });
  await server.post('/calls/query_stats', { project_id: PROJECT });
  await server.post('/calls/query_stats', { project_id: 5 });
  const text = await scrape(server);
  expect(valueOf(text, requests('/version', 'GET', '200'))).toBe(2);
  expect(valueOf(text, requests('/version', 'GET', '401'))).toBe(1);
  expect(valueOf(text, requests('/calls/query_stats', 'POST', '200'))).toBe(1);
  expect(valueOf(text, requests('/calls/query_stats', 'POST', '422'))).toBe(1);
  expect(valueOf(text, 'spoor_http_errors_total{error_code="unauthenticated"}')).toBe(1);
  expect(valueOf(text, 'spoor_http_errors_total{error_code="validation_error"}')).toBe(1);
  const duration = 'spoor_http_request_duration_seconds';
  const labels = 'endpoint="/version",method="GET"';
  expect(valueOf(text, `${duration}_count{${labels}}`)).toBe(3);
  expect(valueOf(text, `${duration}_bucket{${labels},le="+Inf"}`)).toBe(3);
  expect(valueOf(text, `${duration}_bucket{${labels},le="60"}`)).toBe(3);
  expect(valueOf(text, `${duration}_sum{${labels}}`)).toBeGreaterThan(0);
  expect(valueOf(text, 'spoor_http_requests_in_flight')).toBe(1);
  expect(valueOf(text, `spoor_build_info{version="${PACKAGE_VERSION}",node="${process.version}"}`)).toBe(1);
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
});

test('a second scrape counts the first, and buckets add up', async () => {
  const server = await start();
  await scrape(server);
  const text = await scrape(server);
  expect(valueOf(text, requests('/metrics', 'GET', '200'))).toBe(1);
  const counts = [...text.matchAll(/^spoor_http_request_duration_seconds_bucket\{.*\} (\d+)$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(counts.length).toBeGreaterThan(10);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
});

test('whatever clients make up is one kind', async () => {
  const server = await start();
  for (let attempt = 0; attempt < 50; attempt++) await server.get(`/made-up-${attempt}?secret=${attempt}`);
  for (const method of ['PURGE', 'REPORT', 'PROPFIND']) {
    const headers = { authorization: `Bearer ${server.apiKey}` };
    expect((await fetch(`${server.url}/made-up`, { method, headers })).status).toBe(404);
  }
  await server.get('/%E0%A4%A');
  const broken = connect(server.port, '127.0.0.1');
  broken.end('NONSENSE\r\n\r\n');
  await once(broken.resume(), 'close');
  const text = await scrape(server);
  expect(text).not.toMatch(/made-up|secret|PURGE|REPORT|PROPFIND|NONSENSE/);
  expect(valueOf(text, requests('unknown', 'GET', '404'))).toBe(50);
  expect(valueOf(text, requests('unknown', 'other', '404'))).toBe(3);
  expect(valueOf(text, requests('unknown', 'other', '400'))).toBe(1);
  expect(valueOf(text, 'spoor_http_errors_total{error_code="unknown_path"}')).toBe(53);
});

test('labels are routes and never a key or what was recorded', async () => {
  const server = await start({ apiKey: 'marker-key' });
  const call = { project_id: 'acme/marker-project', id: 'marker-id', op_name: 'marker-op', trace_id: 'marker-trace' };
  const started = { ...call, started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: { a: 'marker-input' } };
  await server.post('/call/start', { start: started });
  await server.post('/calls/stream_query', { project_id: 'acme/marker-project' });
  const text = await scrape(server);
  expect(text).not.toContain('marker');
  const routes = new Set([...text.matchAll(/endpoint="([^"]*)"/g)].map(([, route]) => route));
  const known = Object.values(ENDPOINTS).map(({ path }): string => path);
  expect([...routes].filter((route) => !known.includes(route ?? ''))).toEqual([]);
});

test('bytes and connections are those of the wire', async () => {
  const server = await start();
  await server.post('/file/create', '{');
  const before = await scrape(server);
  await server.post('/call/read', { project_id: PROJECT, id: 'x'.repeat(100_000) });
  const after = await scrape(server);
  const grown = (name: string) => (valueOf(after, name) ?? 0) - (valueOf(before, name) ?? 0);
  expect(grown('spoor_http_received_bytes_total')).toBeGreaterThan(100_000);
  expect(grown('spoor_http_received_bytes_total')).toBeLessThan(110_000);
  expect(grown('spoor_http_sent_bytes_total')).toBeGreaterThan(1000);
  expect(valueOf(after, 'spoor_http_connections')).toBeGreaterThan(0);
});

test('streams that are read and streams that were opened are told apart', async () => {
  const server = await start();
  await server.post('/calls/stream_query', { project_id: PROJECT });
  await server.post('/threads/stream_query', { project_id: PROJECT });
  const text = await scrape(server);
  expect([valueOf(text, 'spoor_streams'), valueOf(text, 'spoor_streams_total')]).toEqual([0, 2]);
});

test('SQLite tells what was written together, the memory engine has nothing to tell', async () => {
  const server = await start({ storage: 'sqlite' });
  const started = { project_id: PROJECT, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
  const write = (id: number) =>
    server.post('/call/start', { start: { ...started, id: `c${id}`, attributes: {}, inputs: {} } });
  await Promise.all(Array.from({ length: 50 }, (_, id) => write(id)));
  const text = await scrape(server);
  expect(valueOf(text, 'spoor_writes_total')).toBe(50);
  expect(valueOf(text, 'spoor_write_groups_total')).toBeGreaterThan(0);
  expect(valueOf(text, 'spoor_write_groups_total')).toBeLessThanOrEqual(50);
  expect(valueOf(text, 'spoor_write_queue_requests')).toBe(0);
  expect(valueOf(text, 'spoor_write_queue_bytes')).toBe(0);
  expect(valueOf(await scrape(await start()), 'spoor_writes_total')).toBeUndefined();
});

test('numbers are for those who have a key, unless they are opened', async () => {
  const anonymous = async (server: RunningServer) => (await fetch(`${server.url}/metrics`)).status;
  expect(await anonymous(await start())).toBe(401);
  expect(await anonymous(await start({ openMetrics: true }))).toBe(200);
});

test('the page names every metric with its type and labels, and no other', async () => {
  const server = await start({ storage: 'sqlite' });
  await server.get('/nowhere');
  const call = { project_id: PROJECT, id: 'c1' };
  await server.post('/call/start', { start: { ...call, op_name: 'f', started_at: '2026-01-01T00:00:00Z' } });
  const summary = { usage: { 'gpt-4o': { input_tokens: 1 } } };
  await server.post('/call/end', { end: { ...call, ended_at: '2026-01-01T00:00:01Z', summary } });
  const text = await scrape(server);
  const page = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(spoor_\w+)` \| (\w+) \| (.*?) ?\| .{5,} \|$/gm)].map(
    ([, name, type, labels = '']) => ({ name, type, labels: [...labels.matchAll(/\w+/g)].map(String).sort() }),
  );
  const shown = METRICS.map(({ name, type }) => {
    expect(text).toContain(`# TYPE ${name} ${type}\n`);
    const [, labels = ''] = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, 'm').exec(text) ?? [];
    return { name, type, labels: [...labels.matchAll(/(\w+)="/g)].map(([, label]) => String(label)).sort() };
  });
  expect(rows).toEqual(shown);
});
