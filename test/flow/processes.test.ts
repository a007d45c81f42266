import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { readerOf, runProgram } from './program.ts';
import { machinePerTest } from './machine.ts';

const machine = machinePerTest();

const SPOOR = JSON.stringify(new URL('../../dist/index.js', import.meta.url).href);

/** Answers requests; each is worked on in a thread, which starts a process of its own. */
const SERVER = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { extract, flush, inject, traced } from ${SPOOR};
const serve = traced(async function serve(path) {
  const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: inject({}) });
  const [answer] = await once(worker, 'message');
  await once(worker, 'exit');
  return answer;
}, { op: false });
const server = createServer(async (request, response) => {
  response.end(await extract(request.headers, () => serve(request.url)));
  server.close();
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
`;

const WORKER = `
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { extract, inject, traced } from ${SPOOR};
const work = traced(async function work() {
  const env = inject({ ...process.env });
  const { stdout } = await promisify(execFile)(process.execPath, [new URL('./child.mjs', import.meta.url).pathname], { env });
  return stdout;
}, { op: false });
parentPort.postMessage(await extract(workerData, work));
`;

const CHILD = `
import { extract, traced } from ${SPOOR};
const finish = traced(function finish() { return 'done'; }, { op: false });
process.stdout.write(extract(process.env, finish));
`;

const PROGRAM = `
import { fork } from 'node:child_process';
import { once } from 'node:events';
const server = fork(new URL('./server.mjs', import.meta.url));
const [port] = await once(server, 'message');
const pipeline = traced(async function pipeline() {
  const answer = await (await fetch('http://127.0.0.1:' + port + '/run', { headers: spoor.inject({}) })).text();
  server.disconnect();
  if (server.exitCode === null) await once(server, 'exit');
  return answer;
}, { op: false });
await spoor.withThread('job-1', pipeline);
`;

/** The same without a word of ours in between: what carries it is switched on from outside. */
const BY_ITSELF = {
  server: SERVER.replace('inject({})', '{}').replace(
    'extract(request.headers, () => serve(request.url))',
    'serve(request.url)',
  ),
  worker: WORKER.replace('const env = inject({ ...process.env });', '')
    .replace(', { env });', ');')
    .replace('extract(workerData, work)', 'work()'),
  child: CHILD.replace('extract(process.env, finish)', 'finish()'),
  program: PROGRAM.replace(', { headers: spoor.inject({}) })', ')'),
};

const ORDER = ['pipeline', 'serve', 'work', 'finish'];

const SWITCHED_ON = { SPOOR_PROPAGATE_TO: 'localhost', SPOOR_CONTINUE_TRACES: '1' };

test.each([
  ['by hand', { server: SERVER, worker: WORKER, child: CHILD, program: PROGRAM }, {}],
  ['by itself', BY_ITSELF, SWITCHED_ON],
])('a request, a worker and a child process are one tree, in one turn of one thread: %s', async (_way, parts, env) => {
  const { program, ...files } = parts;
  for (const [name, source] of Object.entries(files)) {
    writeFileSync(join(machine.home, `${name}.mjs`), source);
    expect(source.includes('inject(') || source.includes('extract(')).toBe(parts !== BY_ITSELF);
  }
  expect(await runProgram(machine.home, program, env)).toEqual({ code: 0, signal: null, stderr: '' });
  const calls = await vi.waitFor(
    async () => {
      const all: Call[] = [];
      for await (const call of readerOf(machine.service).calls.query({})) all.push(call);
      // Each process has a clock of its own.
      all.sort((one, other) => ORDER.indexOf(one.op_name) - ORDER.indexOf(other.op_name));
      expect(all.map(({ op_name }) => op_name)).toEqual(ORDER);
      expect(all.every(({ ended_at }) => ended_at !== null)).toBe(true);
      return all;
    },
    { timeout: 15_000 },
  );
  expect(calls.map(({ output }) => output)).toEqual(['done', 'done', 'done', 'done']);
  expect(calls.map(({ parent_id }) => parent_id)).toEqual([null, calls[0]?.id, calls[1]?.id, calls[2]?.id]);
  expect(new Set(calls.map(({ trace_id }) => trace_id)).size).toBe(1);
  expect(new Set(calls.map(({ thread_id, turn_id }) => `${thread_id} ${turn_id}`))).toEqual(
    new Set([`job-1 ${calls[0]?.id}`]),
  );
});
