import { expect, onTestFinished, test } from 'vitest';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { examplePath } from '../../src/server/openapi/operation.ts';
import { answeredRequests, sendRefused, statusOf } from './refused-requests.ts';
import { makeHome, startServiceProcess } from './service-process.ts';

/** `test/load/refused.ts` sends a hundred thousand. */
const REQUESTS = 4000;

test(
  'requests that anyone can make fill no log, are all counted, and leave the service to those who have a key',
  { timeout: 120_000 },
  async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const service = await startServiceProcess(home);
    let log = '';
    service.child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    const ask = async (path: string, key: string) => {
      return await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    };
    const flood = sendRefused(service, REQUESTS);
    const statuses = new Set<number>();
    const over = new AbortController();
    void flood.finally(() => {
      over.abort();
    });
    while (!over.signal.aborted) statuses.add((await ask('/version', service.apiKey)).status);
    await flood;
    expect([...statuses]).toEqual([200]);
    // More than are told why at once, however long the flood has been over.
    const more = await Promise.all(Array.from({ length: 400 }, async () => await ask('/version', 'nobody')));
    const refused = more.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await ask('/version', service.apiKey)).status).toBe(200);
    const metrics = await (await ask('/metrics', service.apiKey)).text();
    const counts = [...metrics.matchAll(/^spoor_http_requests_total\{.*status="4\d\d".*\} (\d+)$/gm)];
    expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThanOrEqual(REQUESTS);
    await service.stop();
    const lines = log.trim().split('\n');
    // Of one address and minute; the test may take several.
    expect(lines.length).toBeLessThan(100);
    expect(log.length).toBeLessThan(50_000);
    const told = lines.map((line) => (JSON.parse(line) as { count?: number }).count ?? 1);
    expect(told.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(REQUESTS);
  },
);

test(
  'the requests that anyone can make are those to every route, and each is refused',
  { timeout: 120_000 },
  async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const service = await startServiceProcess(home);
    onTestFinished(async () => void (await service.stop()));
    const requests = await answeredRequests();
    const lines = new Set(requests.map((request) => request.split(' HTTP/', 1)[0]));
    for (const { method, path } of Object.values(SERVED)) expect(lines).toContain(`${method} ${examplePath(path)}`);
    const taken: unknown[] = [];
    for (const request of requests) {
      const status = await statusOf(service, request);
      if (!(status >= 400 && status < 500)) taken.push([status, request]);
    }
    expect(taken).toEqual([]);
    expect(requests.length).toBeGreaterThan(100);
  },
);
