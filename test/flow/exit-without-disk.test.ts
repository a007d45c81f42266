import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { PACKAGE_VERSION } from '../../src/protocol/version.ts';
import { useFaultyWay } from './faulty-way.ts';
import { readerOf, runProgram, upTo } from './program.ts';

// What cannot be written to disk is lost unless it is sent while the process ends.

const way = useFaultyWay();

/** A file in place of the state folder. */
function withoutDisk(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const file = join(way.home, 'file');
  writeFileSync(file, 'no folder');
  return way.environment({ SPOOR_HOME: file, ...more });
}

const HUNDRED = 'for (let n = 1; n <= 100; n++) step(n);';

test('a service that was never asked is asked', async () => {
  const ended = await runProgram(way.home, `step(0); ${HUNDRED} process.exit(3);`, withoutDisk());
  expect(ended).toMatchObject({ code: 3, signal: null });
  expect(await way.steps()).toEqual(upTo(101));
  const { runs } = await readerOf(way.service, way.project).page.runs({ sums: false });
  expect(runs).toMatchObject([{ entry_op: 'step', version: PACKAGE_VERSION }]);
});

test('calls go before what else would use up the time: versions of ops, objects, files and tables', async () => {
  const source = `
    step(0);
    await flush();
    const store = traced(function store(bytes) { return bytes.length; });
    for (let n = 0; n < 50; n++) {
      store(Buffer.alloc(5000, String(n)));
      spoor.publish({ n }, 'settings');
    }
    new spoor.Dataset({ name: 'rows', rows: [{ a: 1 }] }).publish();
    ${HUNDRED}
    process.exit(3);`;
  way.proxy.plan = () => ({ kind: 'delay', ms: 300 });
  const ended = await runProgram(way.home, source, withoutDisk({ SPOOR_TIMEOUT_MS: '60000' }));
  expect(ended).toMatchObject({ code: 3, signal: null });
  expect(ended.stderr).toMatch(/were lost/);
  expect(await way.steps()).toEqual(upTo(101));
});

test('a service that has failed is asked once more', async () => {
  way.failFirst(1, { kind: 'answer', status: 503, headers: { 'retry-after': '20' } });
  const source = `step(0); ${HUNDRED} setInterval(() => stats().lastError && process.exit(3), 5);`;
  const { code, stderr } = await runProgram(way.home, source, withoutDisk());
  expect(code).toBe(3);
  expect(stderr).not.toContain('Cannot deliver');
  expect(await way.steps()).toEqual(upTo(101));
});

describe('what is said of records that are lost promises nothing', () => {
  const refused = { SPOOR_URL: 'http://127.0.0.1:9', SPOOR_API_KEY: 'key' };
  const lastLine = 'spoor: 2 records were lost: exit 2 (see "spoor doctor")';

  test.each([
    ['at the natural end', 'step(0);', 0],
    ['at process.exit', 'step(0); setInterval(() => stats().lastError && process.exit(3), 5);', 3],
  ])('%s', async (_when, source, code) => {
    const ended = await runProgram(way.home, source, withoutDisk(refused));
    expect(ended.code).toBe(code);
    const lines = ended.stderr.trimEnd().split('\n').sort();
    expect(lines).toEqual([
      lastLine,
      expect.stringMatching(
        /^spoor: Cannot deliver to "http:\/\/127\.0\.0\.1:9": [^.]*ECONNREFUSED 127\.0\.0\.1:9(\. Records wait in memory, and are lost if .*)?$/,
      ),
      expect.stringMatching(/^spoor: Cannot keep records on disk: /),
    ]);
  });

  test('after a service was given up that asks for a long pause', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 503, headers: { 'retry-after': '40' } });
    const source = 'step(0); setInterval(() => stats().lastError && process.exit(3), 5);';
    const { stderr } = await runProgram(way.home, source, withoutDisk());
    expect(stderr).not.toMatch(/kept on disk|to be delivered/);
    expect(stderr).toContain('Records wait in memory, and are lost if the process ends before it answers\n');
    expect(stderr).toContain(lastLine);
  });
});

test('what a service does not take either is counted and said', async () => {
  way.proxy.plan = () => ({ kind: 'answer', status: 503 });
  const { code, stderr } = await runProgram(way.home, `step(0); ${HUNDRED} process.exit(3);`, withoutDisk());
  expect(code).toBe(3);
  expect(stderr).toMatch(/202 records were lost: exit 202/);
});

/** A service that does not take some records: it names the bad items, or only says no, or a firewall does in its place. */
async function startPicky(refusing: 'named' | 'unnamed' | 'blocked') {
  const taken: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      const { batch = [] } = JSON.parse(text) as { batch?: unknown[] };
      const bad = batch.flatMap((item, index) => (JSON.stringify(item).includes('badone') ? [index] : []));
      const isBad = text.includes('badone');
      const detail = bad.map((index) => ({ loc: ['body', 'batch', index], msg: 'bad', type: 'x' }));
      const refusal = {
        error_code: 'validation_error',
        reason: 'bad',
        request_id: 'r',
        ...(refusing === 'named' && { detail }),
      };
      if (!isBad) taken.push(...batch.map((item) => JSON.stringify(item)));
      const body = isBad ? refusal : { digest: 'd', res: batch.map(() => ({})) };
      response.writeHead(isBad ? (refusing === 'blocked' ? 403 : 422) : 200, { 'content-type': 'application/json' });
      response.end(isBad && refusing === 'blocked' ? 'no' : JSON.stringify(body));
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { taken, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test.each([
  ['named', 0, 1500],
  ['named', 700, 1500],
  ['named', 1499, 1500],
  // Halved until it is found, all in the time of one end.
  ['unnamed', 70, 150],
  ['blocked', 70, 150],
] as const)('a record that is %s as bad takes no other with it, as the %i. of %i', async (kind, bad, count) => {
  const picky = await startPicky(kind);
  const source = `
    step(0);
    ${kind === 'blocked' ? 'await flush();' : ''}
    for (let n = 1; n < ${count}; n++) step(n === ${bad} ? 'badone' : n);
    ${bad === 0 ? "step('badone');" : ''}
    process.exit(3);`;
  const ended = await runProgram(way.home, source, withoutDisk({ SPOOR_URL: picky.url, SPOOR_TIMEOUT_MS: '20000' }));
  picky.server.closeAllConnections();
  picky.server.close();
  expect(ended.code).toBe(3);
  // Two records of each call: those of the bad one have its value in one or both.
  const calls = bad === 0 ? count + 1 : count;
  expect(picky.taken.length).toBeGreaterThanOrEqual(2 * calls - 2);
  expect(new Set(picky.taken).size).toBe(picky.taken.length);
  expect(ended.stderr).toMatch(kind === 'blocked' ? /exit [12]\b/ : /refused [12]\b/);
});
