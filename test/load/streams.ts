// What a service takes for pages and tails that follow a quiet project. Options: --streams 20,1000 --seconds 40
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, get } from 'node:http';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHome, runCli, startServiceProcess } from '../flow/service-process.ts';
import { privateMiB } from './process-memory.ts';

const { values } = parseArgs({
  options: { streams: { type: 'string', default: '20,1000' }, seconds: { type: 'string', default: '40' } },
});
/** As many as one key may have. */
const PER_KEY = 32;
/** Longer than the time between two signs of life. */
const settled = () => sleep(Number(values.seconds) * 1000);

const { home, remove } = makeHome();
const service = await startServiceProcess(home);
const pid = service.child.pid ?? 0;
const agent = new Agent({ keepAlive: false });
const open: ClientRequest[] = [];
const keys: string[] = [];

try {
  await openUntil(1);
  await settled();
  const one = privateMiB(pid);
  console.log(`1 stream: ${one.toFixed(1)} MiB`);
  for (const count of values.streams.split(',').map(Number)) {
    await openUntil(count);
    await settled();
    const now = privateMiB(pid);
    const each = ((now - one) * 1024) / (count - 1);
    const cpu = await cpuShare();
    console.log(`${count} streams: ${now.toFixed(1)} MiB, ${each.toFixed(1)} KiB each, ${cpu.toFixed(1)} % of a core`);
  }
} finally {
  for (const each of open) each.destroy();
  await service.stop();
  remove();
}

async function openUntil(count: number): Promise<void> {
  while (open.length < count) {
    const key = await keyFor(open.length);
    const asked = get(`${service.url}/x/calls/changes?project_id=local/quiet`, {
      agent,
      headers: { authorization: `Bearer ${key}` },
    });
    const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { readonly statusCode: number }];
    if (answer.statusCode !== 200) throw new Error(`Stream ${open.length + 1} was refused with ${answer.statusCode}`);
    answer.on('error', () => undefined);
    answer.resume();
    open.push(asked.on('error', () => undefined));
  }
}

async function keyFor(stream: number): Promise<string> {
  const index = Math.floor(stream / PER_KEY);
  keys[index] ??= (await runCli(home, 'keys', 'create', `reader ${index}`)).stdout.trim();
  return keys[index];
}

/** Of the time that passes, how much the service computes; in percent. */
async function cpuShare(): Promise<number> {
  const before = cpuSeconds();
  await settled();
  return ((cpuSeconds() - before) / Number(values.seconds)) * 100;
}

function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
