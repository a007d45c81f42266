import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { environmentOf, makeHome, ROOT } from '../flow/service-process.ts';
import { acknowledge } from './acknowledge.ts';

const BATCHES = 10;
const [BEGIN, END] = ['/spoor-counts-begin', '/spoor-counts-end'];

/** What is between the two files that are looked for is counted. */
const PROGRAM = `
import { existsSync } from 'node:fs';
import { flush, init, traced } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
const [url, home] = process.argv.slice(2);
init({ url, apiKey: 'key', project: 'acme/counts', home });
const step = traced(async function step(question) { return question; });
const deliver = async () => {
  await Promise.all(Array.from({ length: 20 }, () => step('question')));
  await flush();
};
for (let n = 0; n < 3; n++) await deliver();
existsSync('${BEGIN}');
for (let n = 0; n < ${BATCHES}; n++) await deliver();
existsSync('${END}');
process.exit(0);
`;

const hasStrace = (() => {
  try {
    execFileSync('strace', ['-f', 'true'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

beforeAll(buildOnce, 120_000);

/** How often each system call is made while batches are recorded and delivered: those for files and those that send. */
async function countSystemCalls(): Promise<Record<string, number>> {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const service = createServer((request, response) => {
    void acknowledge(request, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void service.close());
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const [trace, program] = [join(home, 'trace'), join(home, 'program.mjs')];
  writeFileSync(program, PROGRAM);
  const options = ['-f', '-e', 'trace=%file,writev,sendto,sendmsg,connect', '-o', trace];
  const child = spawn('strace', [...options, process.execPath, program, `http://127.0.0.1:${port}`, home], {
    cwd: ROOT,
    // Git is another process, which would be followed, too.
    env: environmentOf(home),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const text = readFileSync(trace, 'utf8');
  const counted = text.slice(text.indexOf('\n', text.indexOf(BEGIN)), text.lastIndexOf('\n', text.indexOf(END)));
  const counts: Record<string, number> = {};
  for (const [, name = ''] of counted.matchAll(/^\d+ +(\w+)\(/gm)) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test.skipIf(!hasStrace)(
  'a batch is sent by one system call, and no file is touched for it',
  { timeout: 60_000 },
  async () => {
    const { writev, ...others } = await countSystemCalls();
    expect(writev).toBe(BATCHES);
    // Something that is done once, such as to look who is there, may fall into this time.
    expect(Object.entries(others).filter(([, count]) => count > BATCHES / 2)).toEqual([]);
  },
);

test.runIf(!hasStrace)('SKIPPED on this machine, which has no strace: that a batch is sent by one system call', () => {
  expect(hasStrace).toBe(false);
});
