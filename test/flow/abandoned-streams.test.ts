import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { useFaultyWay } from './faulty-way.ts';
import { readerOf, runProgram } from './program.ts';

const way = useFaultyWay();

/** Kept by the program to its end, so that no collector ends them. */
const STREAMS = `
  const { Readable } = await import('node:stream');
  const options = { op: false };
  const three = traced(async function* three() { yield 1; yield 2; yield 3; }, options);
  const sync = traced(function* sync() { yield 1; yield 2; }, options);
  const waits = traced(async function* waits() { yield 1; await new Promise(() => {}); }, options);
  const web = traced(function web() { return new ReadableStream({ pull: (to) => to.enqueue('a') }); }, options);
  const lazy = traced(function lazy() { return { then: (done) => done(1) }; }, options);
  const node = traced(function node() { return Readable.from(['a', 'b', 'c']); }, options);
  const steps = () => { let step = 0; return { next: async () => ({ value: (step += 1), done: false }) }; };
  const iterable = traced(function iterable() { return { [Symbol.asyncIterator]: steps }; }, options);
  globalThis.kept = [three(), three(), sync(), sync(), waits(), web(), lazy()];
  kept.push(web(), node(), node(), iterable(), iterable());
  await kept[1].next();
  await kept[1].next();
  kept[3].next();
  await kept[4].next();
  void kept[4].next();
  await kept[5].getReader().read();
  const reading = kept[9].iterator();
  await reading.next();
  const iterating = kept[11][Symbol.asyncIterator]();
  await iterating.next();
  await iterating.next();`;

/** Names, outputs and reasons, in order. */
const ABANDONED = [
  ['three', [], 'abandoned'],
  ['three', [1, 2], 'abandoned'],
  ['sync', [], 'abandoned'],
  ['sync', [1], 'abandoned'],
  ['waits', [1], 'abandoned'],
  ['web', ['a'], 'abandoned'],
  ['lazy', null, undefined],
  ['web', [], 'abandoned'],
  ['node', [], 'abandoned'],
  ['node', ['a'], 'abandoned'],
  ['iterable', [], 'abandoned'],
  ['iterable', [1, 2], 'abandoned'],
];

async function ends(): Promise<unknown[]> {
  await way.drain();
  const calls: Call[] = [];
  for await (const call of readerOf(way.service, way.project).calls.query({})) calls.push(call);
  const inOrder = calls.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return inOrder.map(({ op_name, output, ended_at, summary }) => [
    op_name,
    ended_at === null ? 'open' : output,
    (summary as { stream?: { reason: string } }).stream?.reason,
  ]);
}

describe('generators and streams that were never read, or not to their end, are ended as abandoned at', () => {
  test.each([
    ['a natural end', '', { code: 0, signal: null }],
    ['process.exit', 'process.exit(3);', { code: 3, signal: null }],
    ['an uncaught error', "throw new Error('boom');", { code: 1, signal: null }],
    [
      'SIGTERM',
      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);",
      { code: null, signal: 'SIGTERM' },
    ],
    ['SIGINT', "process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000);", { code: null, signal: 'SIGINT' }],
    ['process.exit after shutdown', 'await shutdown(); process.exit(3);', { code: 3, signal: null }],
    ['a natural end after shutdown', 'await shutdown();', { code: 0, signal: null }],
    ['a natural end with a handler', "process.on('beforeExit', () => {});", { code: 0, signal: null }],
  ])('%s', async (_name, end, how) => {
    expect(await runProgram(way.home, `${STREAMS} ${end}`, way.environment())).toMatchObject(how);
    expect(await ends()).toEqual(ABANDONED);
  });
});

test('a handler of beforeExit that reads on is waited for', async () => {
  const source = `${STREAMS}
    process.once('beforeExit', async () => { for await (const _ of kept[0]); });`;
  expect(await runProgram(way.home, source, way.environment())).toMatchObject({ code: 0 });
  const [first] = await ends();
  expect(first).toEqual(['three', [1, 2, 3], 'end']);
});

test('a program that waits for the service and reads on then has not abandoned anything', async () => {
  // Waiting holds up a natural end for a while only. From its beginning on, when Node looks for
  // `emit`, a timer keeps the program alive.
  const source = `
    const three = traced(async function* three() { yield 1; yield 2; yield 3; }, { op: false });
    const early = traced.capture(() => three());
    await early.result.next();
    const { emit } = process;
    let alive;
    Object.defineProperty(process, 'emit', { get: () => ((alive ??= setInterval(() => {}, 1000)), emit), configurable: true });
    await early.call.stored();
    Object.defineProperty(process, 'emit', { value: emit, configurable: true, writable: true });
    clearInterval(alive);
    for await (const _ of early.result);`;
  expect(await runProgram(way.home, source, way.environment())).toMatchObject({ code: 0, stderr: '' });
  const ended = await ends();
  expect(ended[0]).toEqual(['three', [1, 2, 3], 'end']);
});
