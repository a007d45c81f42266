// Requests without a valid key, in masses: what the log takes, and how long a client with a key waits meanwhile.
// Options: --requests 100000 --connections 8
import { parseArgs } from 'node:util';
import { sendRefused } from '../flow/refused-requests.ts';
import { makeHome, startServiceProcess } from '../flow/service-process.ts';
import { privateMiB } from './process-memory.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, connections: { type: 'string', default: '8' } },
});
const QUIET_ASKS = 500;

const { home, remove } = makeHome();
const service = await startServiceProcess(home);
let log = '';
service.child.stderr?.on('data', (chunk: Buffer) => {
  log += chunk.toString();
});

/** Milliseconds of one request of a client that has a key. */
async function ask(): Promise<number> {
  const began = performance.now();
  const response = await fetch(`${service.url}/version`, { headers: { authorization: `Bearer ${service.apiKey}` } });
  await response.text();
  if (response.status !== 200) throw new Error(`A client with a key was answered ${response.status}`);
  return performance.now() - began;
}

function p95(times: readonly number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0;
}

try {
  const quiet: number[] = [];
  for (let index = 0; index < QUIET_ASKS; index++) quiet.push(await ask());
  const began = performance.now();
  const over = new AbortController();
  const flood = sendRefused(service, Number(values.requests), Number(values.connections)).finally(() => {
    over.abort();
  });
  const busy: number[] = [];
  while (!over.signal.aborted) busy.push(await ask());
  await flood;
  const seconds = (performance.now() - began) / 1000;
  console.log(`${values.requests} refused requests in ${seconds.toFixed(1)} s`);
  console.log(
    `client with a key: p95 ${p95(quiet).toFixed(1)} ms quiet, ${p95(busy).toFixed(1)} ms of ${busy.length} meanwhile`,
  );
  console.log(`memory of the service: ${Math.round(privateMiB(service.child.pid ?? 0))} MiB`);
} finally {
  await service.stop();
  remove();
}
console.log(`log: ${log.split('\n').length - 1} lines, ${log.length} bytes`);
console.log(log.trim().split('\n').at(-1));
