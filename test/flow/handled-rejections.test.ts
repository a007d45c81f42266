import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, runNode } from './service-process.ts';

/** What a program may ask of Spoor. It handles every rejection that it is given, of promises that may never settle too. */
const PROGRAM = `
import { current, Dataset, flush, get, publish, shutdown, startCall, stats, StringPrompt, trace, traced } from 'spoor';

const handled = (promise) => void Promise.resolve(promise).catch(() => undefined);
const refuse = async () => { throw new TypeError('No'); };
const hostile = new Proxy({}, { get: () => { throw new RangeError('Do not look'); }, ownKeys: () => { throw new RangeError('Do not look'); } });

const work = traced(async (what) => {
  const call = current();
  handled(call.feedback('mood', { value: what }));
  handled(call.stored());
  await null;
  if (what === 'fails') throw new Error('It failed');
  return { what, blob: new Blob(['x'.repeat(10_000)]), file: Buffer.alloc(10_000) };
}, { name: 'work' });

for (const what of ['runs', 'fails', hostile, Promise.reject(new Error('given')).catch((error) => error)]) handled(work(what));
handled(traced(refuse, { name: 'refuse' })());
handled(trace('traced', refuse));
const same = Promise.reject(new Error('shared'));
const hand = traced(() => same, { name: 'hand' });
for (const one of [same, hand(), hand(), traced(hand, { name: 'over' })()]) handled(one);
const started = startCall('by hand');
started.fail(new Error('by hand'));
const generate = traced(async function* () { yield 1; throw new Error('late'); }, { name: 'generate' });
handled((async () => { for await (const one of generate()) void one; })());
const left = generate();
await left.next();
await left.return();

const ref = publish({ a: 1, image: Buffer.alloc(5000) }, 'value');
handled(ref.stored());
handled(ref.get());
handled(get('spoor:///p/object/none:latest'));
handled(get('nonsense'));
handled(publish(new StringPrompt({ content: 'Tell of {what}' }), 'prompt').get());
const rows = new Dataset({ name: 'rows', rows: [{ a: 1 }, { a: 2 }] });
handled(publish(rows, 'rows').get());
handled(Dataset.open('spoor:///p/object/none:latest'));
handled(rows.append([{ a: 3 }]));
handled(rows.append([hostile]));
await flush({ timeoutMs: 200 });
handled(flush({ timeoutMs: 50 }));
if (process.argv[2] === 'shutdown') await shutdown({ timeoutMs: 200 });
console.log('lived', stats().recorded > 5);
`;

type Answer = (response: ServerResponse) => void;

const status = (code: number, body = '{"detail":"No"}'): Answer => {
  return (response) => response.writeHead(code, { 'content-type': 'application/json' }).end(body);
};

const ANSWERS: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries([400, 401, 404, 413, 422, 429, 500, 503].map((code) => [`status ${code}`, status(code)])),
  'words without sense': status(200, 'Good morning'),
  'an empty object': status(200, '{}'),
  'the beginning of an answer': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"', () => response.destroy());
  },
  'a reset': (response) => response.destroy(),
  silence: () => {},
};

beforeAll(buildOnce, 120_000);

// They wait for their deliveries more than they do anything.
test.concurrent.for(Object.entries(ANSWERS))(
  'a program that handles what it is given is not ended by a service that answers with %s',
  { timeout: 120_000 },
  async ([, answer], { expect, onTestFinished }) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => answer(response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { home, remove } = makeHome();
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
      remove();
    });
    const { port } = server.address() as AddressInfo;
    const env = { SPOOR_URL: `http://127.0.0.1:${port}`, SPOOR_API_KEY: 'key', SPOOR_PROJECT: 'local/refused' };
    const flags = ['--unhandled-rejections=strict', '--input-type=module'];
    const ways = ['ends', 'shutdown'].map(async (how) => {
      const { code, stdout, stderr } = await runNode([...flags, '--eval', PROGRAM, how], { home, env });
      expect({ code, stdout, how }).toEqual({ code: 0, stdout: 'lived true\n', how });
      expect(stderr).not.toMatch(/Uncaught|triggerUncaught|unhandled/i);
    });
    await Promise.all(ways);
  },
);
