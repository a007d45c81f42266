import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { exec, execFile, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { getEnvironmentData, type Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { inject } from '../../src/tracing/propagation/carrier.ts';
import { spanIdOf } from '../../src/protocol/values/id.ts';
import { withContext, withThread } from '../../src/tracing/propagation/context.ts';
import { startPropagation } from '../../src/tracing/propagation/propagation.ts';
import { trace } from '../../src/tracing/wrap/trace.ts';
import { type Recording, startRecording } from './recording.ts';

let recording: Recording;
let stop: () => void;
beforeEach(() => {
  recording = startRecording();
  stop = startPropagation({ outgoing: { hosts: [], attributes: ['tenant'] }, isContinuing: false });
});
afterEach(() => {
  stop();
  recording.stop();
  vi.unstubAllEnvs();
});

type Variables = Readonly<Record<string, string>>;

const PRINT =
  'const { TRACEPARENT, TRACESTATE, BAGGAGE } = process.env; const e = { TRACEPARENT, TRACESTATE, BAGGAGE };';
const LOG = `${PRINT} console.log(JSON.stringify(e))`;
const ARGS = ['-e', LOG];

/** What every call has that is named `send`, as variables. */
function variablesOf(name: string): Variables {
  const { id, trace_id } = recording.call(name).start;
  return { TRACEPARENT: `00-${trace_id}-${spanIdOf(id ?? '')}-01`, TRACESTATE: `spoor=${id}` };
}

const parse = (output: string) => JSON.parse(output) as Variables;

/** A script in a folder that is removed after the test. */
function scriptOf(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-child-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'child.cjs');
  writeFileSync(path, source);
  return path;
}

async function messageOf(child: ChildProcess | ClusterWorker): Promise<Variables> {
  const [message] = (await once(child, 'message')) as [Variables];
  return message;
}

const WAYS: Record<string, (env?: NodeJS.ProcessEnv) => Promise<Variables>> = {
  spawn: async (env) => parse(await text(spawn(process.execPath, ARGS, env ? { env } : {}).stdout)),
  execFile: async (env) => parse((await promisify(execFile)(process.execPath, ARGS, { env })).stdout),
  exec: async (env) => {
    const command = `${process.execPath} ${scriptOf(LOG)}`;
    return parse((await promisify(exec)(command, { env })).stdout);
  },
  fork: async (env) => await messageOf(fork(scriptOf(`${PRINT} process.send(e)`), { env })),
  'cluster.fork': async (env) => {
    cluster.setupPrimary({ exec: scriptOf(`${PRINT} process.send(e, () => process.exit())`) });
    return await messageOf(cluster.fork(env));
  },
};

describe.each(Object.entries(WAYS))('a process of %s', (_name, start) => {
  test('is told the call that starts it, beside what it is given', async () => {
    const inherited = await trace('send', async () => await start());
    expect(inherited).toEqual(variablesOf('send'));
    const given = await withThread('t', () => trace('give', async () => await start({ PATH: process.env['PATH'] })));
    expect(given).toEqual({ ...variablesOf('give'), BAGGAGE: expect.stringMatching(/^spoor-thread=t,/) as string });
  });
});

test('a process that is started outside of calls, or when it is switched off, is told nothing', async () => {
  expect(await WAYS['spawn']?.()).toEqual({});
  stop();
  expect(await trace('send', async () => await WAYS['spawn']?.())).toEqual({});
});

test('what the program gives to a process stays, and what all inherit gives way', async () => {
  const mine = await trace('send', async () => await WAYS['spawn']?.({ ...process.env, TRACEPARENT: 'mine' }));
  expect(mine).toEqual({ TRACEPARENT: 'mine' });
  const byHand = await trace('hand', async () => {
    const env = inject({ ...process.env });
    return await trace('inner', async () => await WAYS['spawn']?.(env));
  });
  expect(byHand).toEqual(variablesOf('hand'));
  vi.stubEnv('TRACEPARENT', 'of this process');
  vi.stubEnv('BAGGAGE', 'of=this');
  expect(await trace('later', async () => await WAYS['spawn']?.())).toEqual(variablesOf('later'));
});

test('a process is told attributes only by name, and that its root was not sampled', async () => {
  const attributes = { tenant: 'x', other: 'y' };
  const told = await withContext({ attributes }, () => trace('send', async () => await WAYS['spawn']?.()));
  expect(decodeURIComponent(told?.['BAGGAGE'] ?? '')).toBe('spoor-attributes={"tenant":"x"}');
  const silent = await withContext({ sample: 0 }, () => trace('silent', async () => await WAYS['spawn']?.()));
  expect(silent).toMatchObject({ TRACESTATE: 'spoor=none' });
});

test('a process looks as it did', async () => {
  const child = trace('send', () => spawn(process.execPath, ['-e', '']));
  expect(Object.hasOwn(child, 'spawn')).toBe(false);
  await once(child, 'exit');
  const missing = trace('missing', () => spawn('/does/not/exist'));
  const [error] = (await once(missing, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ENOENT');
});

test('a method that somebody else has put before that of a child process is called', async () => {
  const { channel } = await import('node:diagnostics_channel');
  stop();
  const seen: object[] = [];
  const replace = (message: unknown) => {
    const { process: child } = message as { process: { spawn: (this: object, options: object) => unknown } };
    const { spawn: original } = child;
    child.spawn = (options) => {
      seen.push(options);
      return original.call(child, options);
    };
  };
  channel('child_process').subscribe(replace);
  onTestFinished(() => channel('child_process').unsubscribe(replace));
  stop = startPropagation({ outgoing: { hosts: [], attributes: false }, isContinuing: false });
  expect(await trace('send', async () => await WAYS['spawn']?.())).toEqual(variablesOf('send'));
  expect(seen).toHaveLength(1);
});

describe('a worker thread', () => {
  const SOURCE = `const { parentPort, getEnvironmentData } = require('node:worker_threads');
    parentPort.postMessage(getEnvironmentData('spoor.carrier.1'));`;
  const carrierOf = async (Class: typeof Worker) => {
    const worker = new Class(SOURCE, { eval: true });
    expect(worker).toBeInstanceOf(Class);
    return ((await once(worker, 'message')) as unknown[])[0];
  };

  test('is told the call that starts it, however the class was imported', async () => {
    const { Worker: OfCommonJs } = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
    const { Worker: OfEsm } = await import('node:worker_threads');
    class Mine extends OfEsm {}
    for (const Class of [OfCommonJs, OfEsm, Mine]) {
      recording = startRecording();
      const carrier = await trace('send', async () => await carrierOf(Class));
      expect(carrier).toEqual({
        traceparent: variablesOf('send')['TRACEPARENT'],
        tracestate: variablesOf('send')['TRACESTATE'],
      });
    }
    expect(getEnvironmentData('spoor.carrier.1')).toBeUndefined();
  });

  test('is a thread like any other', async () => {
    const threads = await import('node:worker_threads');
    const worker = trace('send', () => new threads.Worker('', { eval: true }));
    expect(worker).toBeInstanceOf(threads.Worker);
    expect([threads.Worker.name, threads.Worker.length]).toEqual(['Worker', 1]);
    expect(() => Reflect.construct(threads.Worker, [7])).toThrow(TypeError);
    await once(worker, 'exit');
    stop();
    expect(worker).toBeInstanceOf((await import('node:worker_threads')).Worker);
    expect(worker.constructor).toBe((await import('node:worker_threads')).Worker);
  });
});
