import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { type BodyCase, bodyCases } from './body-cases.ts';
import { privateMiB } from './process-memory.ts';

/**
 * Sends every worst body to a service of its own, at the limit of bodies, and tells the longest stretch of CPU of its
 * main thread, the longest wait of `/health` and the memory it took: `npm run load:bodies [-- part of a name]`.
 */

const MIB = 1024 * 1024;
const PACKED_BELOW = 0.2;

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

interface Outcome {
  readonly status: number;
  readonly stretchMs: number;
  readonly healthMs: number;
  readonly bytes: number;
  readonly grownMiB: number;
}

const wanted = process.argv.slice(2);
const cases = bodyCases().filter(({ endpoint, name }) => wanted.every((part) => `${endpoint} ${name}`.includes(part)));
const outcomes: (Outcome & { readonly title: string })[] = [];
for (const each of cases) {
  const outcome = await measure(each);
  outcomes.push({ title: `${each.endpoint}: ${each.name}`, ...outcome });
  console.log(line(`${each.endpoint}: ${each.name}`, outcome));
}
const worst = (of: (outcome: Outcome) => number) => outcomes.toSorted((a, b) => of(b) - of(a)).slice(0, 15);
console.log('\nlongest stretches of CPU');
for (const { title, ...outcome } of worst(({ stretchMs }) => stretchMs)) console.log(line(title, outcome));
console.log('\nmost memory');
for (const { title, ...outcome } of worst(ratioOf)) console.log(line(title, outcome));

function ratioOf({ grownMiB, bytes }: Outcome): number {
  return grownMiB / (bytes / MIB);
}

function line(title: string, outcome: Outcome): string {
  const { status, stretchMs, healthMs, bytes, grownMiB } = outcome;
  const columns = [
    title.padEnd(60),
    String(status),
    `${(bytes / MIB).toFixed(1)} MiB`.padStart(10),
    `${stretchMs.toFixed(0)} ms`.padStart(8),
    `health ${healthMs.toFixed(0)} ms`.padStart(15),
    `+${grownMiB.toFixed(0)} MiB`.padStart(9),
    `× ${ratioOf(outcome).toFixed(1)}`.padStart(7),
  ];
  return columns.join(' ');
}

async function measure({ path, endpoint, make }: BodyCase): Promise<Outcome> {
  const body = make((endpoint === 'fileCreate' ? DEFAULT_LIMITS.file_request_bytes : DEFAULT_LIMITS.request_bytes) - 8);
  const packed = await promisify(gzip)(body, { level: 1 });
  const isPacked = packed.length < body.length * PACKED_BELOW;
  const home = mkdtempSync(join(tmpdir(), 'spoor-bodies-'));
  const service = await start(home);
  try {
    await post(service, '/call/read', Buffer.from('{"project_id":"acme/demo","id":"none"}'), {});
    await longest(service);
    const before = privateMiB(service.pid);
    let peak = before;
    const sampling = setInterval(() => (peak = Math.max(peak, privateMiB(service.pid))), 5);
    const probe = startProbe(service);
    const headers = isPacked ? { 'content-encoding': 'gzip' } : {};
    const status = await post(service, path, isPacked ? packed : body, headers);
    const healthMs = await probe.stop();
    clearInterval(sampling);
    const stretchMs = await longest(service);
    return { status, stretchMs, healthMs, bytes: body.length, grownMiB: peak - before };
  } finally {
    service.child.kill('SIGKILL');
    await once(service.child, 'exit');
    rmSync(home, { recursive: true, force: true });
  }
}

async function start(home: string): Promise<Service> {
  const root = join(import.meta.dirname, '../..');
  const monitor = join(import.meta.dirname, 'stretch-monitor.js');
  const child = spawn(
    process.execPath,
    ['--import', monitor, join(root, 'dist/cli/main.js'), 'serve', '--port', '0', '--log-level', 'error'],
    {
      env: { ...process.env, SPOOR_HOME: home, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  await once(child.stdout ?? child, 'data');
  const { url, apiKey } = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')) as {
    url: string;
    apiKey: string;
  };
  return { child, url, key: apiKey, pid: child.pid ?? 0 };
}

async function longest({ child }: Service): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ longest: number }]>;
  child.send('longest');
  return (await answer)[0].longest;
}

async function post(service: Service, path: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  return await send(service, path, 'POST', body, { 'content-type': 'application/json', ...headers });
}

/** Asks again and again how the service is; tells the longest wait. */
function startProbe(service: Service): { stop(): Promise<number> } {
  const over = new AbortController();
  let longestMs = 0;
  const probing = (async () => {
    while (!over.signal.aborted) {
      const since = performance.now();
      await send(service, '/health', 'GET', undefined, {});
      longestMs = Math.max(longestMs, performance.now() - since);
      await setTimeout(5);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await probing;
      return longestMs;
    },
  };
}

function send(
  { url, key }: Service,
  path: string,
  method: string,
  body: Buffer | undefined,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { method, headers: { authorization: `Bearer ${key}`, ...headers } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    // A service that has ended answers nothing.
    sent.once('error', () => resolve(0));
    sent.setTimeout(120_000, () => reject(new Error(`No answer from ${path}`)));
    sent.end(body);
  });
}
