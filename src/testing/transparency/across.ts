import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { ExpectedCall } from './calls.ts';
import type { Bench, TransparencyKit } from './kit.ts';
import type { RecordingTarget } from './subject.ts';

/** Work that goes on in another request, thread, process or copy of the package: one tree all the same. */
export function acrossTransparency(kit: TransparencyKit): void {
  requestsCarryTheContext(kit);
  threadsCarryTheContext(kit);
  processesCarryTheContext(kit);
  copiesShareTheContext(kit);
}

const ROOT: ExpectedCall = { op: 'root', under: null, output: 7 };
const LEAF: ExpectedCall = { op: 'leaf', under: 'root', inputs: [7], output: 7 };

function requestsCarryTheContext({ check }: TransparencyKit): void {
  const clients: Readonly<Record<string, (url: string, headers: Record<string, string>) => Promise<string>>> = {
    fetch: async (url, headers) => await (await fetch(url, { headers })).text(),
    'node:http': async (url, headers) =>
      await new Promise((resolve) => get(url, { headers }, (got) => resolve(text(got)))),
  };
  for (const [name, ask] of Object.entries(clients)) {
    check(`a call made to answer a request of ${name} hangs below the call that made the request`, {
      needs: ['inject', 'extract'],
      run: async ({ wrap, subject: { inject = same, extract } }) => {
        const leaf = wrap(async (value: number) => value, 'leaf');
        const answer: RequestListener = (request, response) => {
          void extract?.(request.headers, () => leaf(7)).then((value) => response.end(String(value)));
        };
        return await withServer(answer, async (url) => {
          const headers = () => inject({ accept: 'text/plain' });
          return await wrap(async () => Number(await ask(url, headers())), 'root')();
        });
      },
      sees: 7,
      calls: [ROOT, LEAF],
    });
  }

  check('requests at once on one server hang below the calls that made them', {
    needs: ['inject', 'extract'],
    run: async ({ wrap, subject: { inject = same, extract } }) => {
      const leaf = wrap(async (path: string) => path, 'leaf');
      const answer: RequestListener = (request, response) => {
        void extract?.(request.headers, () => leaf(request.url ?? '')).then((value) => response.end(value));
      };
      return await withServer(answer, async (url) => {
        const root = wrap(
          async (path: string) => await (await fetch(url + path, { headers: inject({}) })).text(),
          'root',
        );
        return await Promise.all(['/a', '/b', '/c'].map(async (path) => await root(path)));
      });
    },
    sees: ['/a', '/b', '/c'],
    calls: (calls) => {
      const leaves = calls.filter(({ op }) => op === 'leaf');
      assert.deepEqual(new Set(leaves.map(({ output }) => output)), new Set(['/a', '/b', '/c']));
      for (const { output, parent } of leaves) assert.equal(calls.find(({ id }) => id === parent)?.output, output);
    },
  });
}

function threadsCarryTheContext({ check }: TransparencyKit): void {
  check('a call made in a worker thread hangs below the call whose carrier the thread was given', {
    needs: ['inject', 'extract', 'module'],
    run: async (bench) => {
      const { wrap, subject } = bench;
      const root = wrap(async () => {
        const carrier = subject.inject?.({});
        const [value] = await answersOf(startWorker(bench, { carrier }, IN_WORKER), 1);
        return value;
      }, 'root');
      return await root();
    },
    sees: 7,
    calls: [ROOT, LEAF],
  });

  check('a message to a worker thread carries the context of the call that sent it', {
    needs: ['inject', 'extract', 'module'],
    run: async (bench) => {
      const { wrap, subject } = bench;
      const worker = startWorker(bench, {}, ON_MESSAGE);
      const send = wrap(async (value: number) => {
        const { port1, port2 } = new MessageChannel();
        worker.postMessage({ carrier: subject.inject?.({}), value, port: port2 }, [port2]);
        const [answer] = (await once(port1, 'message')) as unknown[];
        port1.close();
        return answer;
      }, 'root');
      const answers = await Promise.all([send(1), send(2)]);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
      worker.postMessage('end');
      await once(worker, 'exit');
      return answers;
    },
    sees: [1, 2],
    calls: (calls) => {
      const leaves = calls.filter(({ op }) => op === 'leaf');
      assert.equal(leaves.length, 2);
      for (const { output, parent } of leaves) assert.equal(calls.find(({ id }) => id === parent)?.output, output);
    },
  });
}

function processesCarryTheContext({ check }: TransparencyKit): void {
  check('a child process that is given the context in its environment goes on in the tree', {
    needs: ['inject', 'module'],
    run: async (bench) => {
      const { wrap, subject } = bench;
      const root = wrap(async () => {
        const env = subject.inject?.({ ...process.env, ...variablesOf(bench.target) });
        return await runChild(bench, env);
      }, 'root');
      return await root();
    },
    sees: 7,
    calls: [ROOT, LEAF],
  });

  check('a child process that is given none begins a tree of its own', {
    needs: ['module'],
    run: async (bench) => {
      const root = bench.wrap(
        async () => await runChild(bench, { ...process.env, ...NO_CONTEXT, ...variablesOf(bench.target) }),
        'root',
      );
      return await root();
    },
    sees: 7,
    calls: [ROOT, { ...LEAF, under: null }],
  });
}

/** Variables that the process of the checks may have been started with itself. */
const NO_CONTEXT = { TRACEPARENT: undefined, TRACESTATE: undefined, BAGGAGE: undefined };

function copiesShareTheContext({ check }: TransparencyKit): void {
  check('two copies of the package in one process record one tree', {
    needs: ['copy'],
    run: async ({ wrap, isBare, nameOf, subject }) => {
      const other = isBare ? undefined : await subject.copy?.();
      const wrapOther = <F extends (...args: never[]) => unknown>(fn: F, name: string) =>
        other === undefined ? fn : other(fn, { name: nameOf(name) });
      const leaf = wrap((value: number) => value, 'leaf');
      const middle = wrapOther(async () => {
        await Promise.resolve();
        return leaf(7);
      }, 'middle');
      return await wrap(async () => await middle(), 'root')();
    },
    sees: 7,
    calls: [ROOT, { op: 'middle', under: 'root', output: 7 }, { ...LEAF, under: 'middle' }],
  });
}

const same = (carrier: Record<string, string>) => carrier;

async function withServer<Result>(answer: RequestListener, use: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The code that each program elsewhere begins with. */
const BEGIN = `
const begin = async ({ module, isBare, name }) => {
  const { traced, extract, flush } = await import(module);
  return { leaf: isBare ? (value) => value : traced((value) => value, { name }), extract, flush };
};
`;

const IN_WORKER = `${BEGIN}
const { parentPort, workerData } = require('node:worker_threads');
begin(workerData).then(async ({ leaf, extract, flush }) => {
  const value = extract(workerData.carrier, () => leaf(7));
  await flush?.();
  parentPort.postMessage(value);
});
`;

const ON_MESSAGE = `${BEGIN}
const { parentPort, workerData } = require('node:worker_threads');
const ready = begin(workerData);
parentPort.on('message', async (message) => {
  const { leaf, extract, flush } = await ready;
  if (message === 'end') {
    await flush?.();
    return parentPort.close();
  }
  const { carrier, value, port } = message;
  await new Promise((resolve) => setImmediate(resolve));
  port.postMessage(await extract(carrier, async () => (await null, leaf(value))));
});
`;

const IN_CHILD = `${BEGIN}
const { leaf, flush } = await begin(JSON.parse(process.env.TRANSPARENCY_CHILD));
process.stdout.write(String(leaf(7)));
await flush?.();
`;

function startWorker(bench: Bench, data: object, source: string): Worker {
  const env = { ...process.env, ...variablesOf(bench.target) };
  return new Worker(source, { eval: true, workerData: { ...data, ...elsewhere(bench) }, env });
}

async function answersOf(worker: Worker, count: number): Promise<unknown[]> {
  const answers: unknown[] = [];
  worker.on('message', (answer) => answers.push(answer));
  await once(worker, 'exit');
  assert.equal(answers.length, count);
  return answers;
}

async function runChild(bench: Bench, env: NodeJS.ProcessEnv | undefined): Promise<number> {
  const child = { ...env, TRANSPARENCY_CHILD: JSON.stringify(elsewhere(bench)) };
  const args = ['--input-type=module', '-e', IN_CHILD];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: child });
  return Number(stdout);
}

function elsewhere({ subject, isBare, nameOf }: Bench): Record<string, unknown> {
  return { module: subject.module, isBare, name: nameOf('leaf') };
}

function variablesOf(target: RecordingTarget | undefined): Record<string, string> {
  if (target === undefined) return {};
  const { url, apiKey, project, home } = target;
  return { SPOOR_URL: url, SPOOR_API_KEY: apiKey, SPOOR_PROJECT: project, SPOOR_HOME: home };
}
