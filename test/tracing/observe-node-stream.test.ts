import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const leaf = traced((value: string) => value, { name: 'leaf' });
const tick = () => new Promise((resolve) => setImmediate(resolve));
const end = () => recording.call('open').end;
const open = traced(<Stream>(stream: Stream): Stream => stream, { name: 'open', inputs: false });

/** Texts, one per read. */
function source(texts: string[], failure?: Error): { stream: Readable; reads: () => number } {
  let reads = 0;
  const stream = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      const text = texts[reads];
      reads += 1;
      if (text !== undefined) this.push(leaf(text));
      else if (failure) this.destroy(failure);
      else this.push(null);
    },
  });
  return { stream, reads: () => reads };
}

test('a stream stays the same object and does not begin to flow', async () => {
  const { stream, reads } = source(['a']);
  expect(open(stream)).toBe(stream);
  await tick();
  expect([stream.readableFlowing, reads(), end(), Object.keys(stream).includes('emit')]).toEqual([
    null,
    0,
    undefined,
    false,
  ]);
  stream.destroy();
});

test('its own properties are seen as before', () => {
  const bare = Object.keys(source(['a']).stream);
  expect(Object.keys(open(source(['a']).stream))).toEqual(bare);
  expect(bare).toContain('_read');
});

test('for await reads it, and what its source calls hangs below', async () => {
  const { stream } = source(['a', 'b']);
  const chunks: unknown[] = [];
  for await (const chunk of open(stream)) chunks.push(chunk);
  expect(chunks).toEqual(['a', 'b']);
  expect(end()).toMatchObject({ output: ['a', 'b'], summary: { stream: { chunks: 2, reason: 'end' } } });
  expect(treeOf(recording)).toEqual(['open(leaf, leaf)']);
});

test('break destroys it and ends the call', async () => {
  const { stream } = source(['a', 'b', 'c']);
  for await (const chunk of open(stream)) if (chunk === 'b') break;
  expect(stream.destroyed).toBe(true);
  await expect.poll(end).toMatchObject({ output: ['a', 'b'], summary: { stream: { reason: 'cancel' } } });
});

test('a stream that is destroyed without an error was cancelled', async () => {
  const { stream } = source(['a', 'b']);
  const iterator = open(stream)[Symbol.asyncIterator]();
  await iterator.next();
  stream.destroy();
  await expect.poll(end).toMatchObject({ output: ['a'], summary: { stream: { reason: 'cancel' } } });
});

test('data events, paused reads and pipelines count each chunk once', async () => {
  const flowing = open(source(['a', 'b']).stream);
  flowing.on('data', () => undefined);
  await once(flowing, 'end');
  const paused = open(source(['c', 'd']).stream);
  paused.on('readable', () => {
    while (paused.read() !== null);
  });
  await once(paused, 'end');
  const written: unknown[] = [];
  const target = new Writable({
    objectMode: true,
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  await pipeline(open(source(['e', 'f']).stream), target);
  expect(written).toEqual(['e', 'f']);
  const outputs = recording
    .calls()
    .filter(({ start }) => start.op_name === 'open')
    .map((call) => call.end?.output);
  expect(outputs).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
  ]);
});

test('an error ends the call with it and reaches the listener of the user', async () => {
  const error = new Error('dry');
  const { stream } = source(['a'], error);
  const seen: unknown[] = [];
  const closed = new Promise((resolve) => stream.once('close', resolve));
  open(stream).on('error', (failure) => seen.push(failure));
  stream.resume();
  await closed;
  expect(seen).toEqual([error]);
  expect(end()).toMatchObject({ output: ['a'], exception: expect.stringMatching(/^Error: dry/) as string });
});

test('a slow reader slows the source down', async () => {
  const { stream, reads } = source(Array.from({ length: 100 }, (_, index) => String(index)));
  const iterator = open(stream)[Symbol.asyncIterator]();
  await iterator.next();
  for (let turn = 0; turn < 20; turn++) await tick();
  expect(reads()).toBeLessThanOrEqual(3);
  await iterator.return?.();
});

test('a transform is read like any other', async () => {
  const through = open(source(['a', 'b']).stream.pipe(new PassThrough({ objectMode: true })));
  expect(await through.toArray()).toEqual(['a', 'b']);
  expect(end()?.output).toEqual(['a', 'b']);
});

test('an answer over HTTP ends its call when it was read', async () => {
  const server = createServer((_request, response) => response.end('hello'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = traced(
    async () => await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve)),
    { name: 'ask' },
  );
  const answer = await ask();
  expect(recording.call('ask').end).toBeUndefined();
  answer.setEncoding('utf8');
  expect(await answer.toArray()).toEqual(['hello']);
  expect(recording.call('ask').end?.output).toEqual(['hello']);
  server.close();
});

test('a connection, an emitter and a hash are over at once: they go on living', async () => {
  const server = createTcpServer((peer) => peer.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  expect(open(socket)).toBe(socket);
  expect(recording.calls()[0]?.end?.output).toBe('[Socket]');
  open(new EventEmitter());
  expect(recording.calls()[1]?.end).toBeDefined();
  open(createHash('sha256'));
  expect(recording.calls()[2]?.end?.output).toBe('[Hash]');
  socket.resume();
  await once(socket, 'close');
  server.close();
});

test('a stream that was read already is recorded as one', async () => {
  const { stream } = source(['a']);
  await stream.toArray();
  open(stream);
  expect(end()?.output).toBe('[Readable]');
});

test('a stream that is handed out again and again stays readable', async () => {
  const { stream } = source(['a', 'b']);
  for (let turn = 0; turn < 20_000; turn++) open(stream);
  expect(await stream.toArray()).toEqual(['a', 'b']);
  expect(recording.calls().map(({ end: seen }) => seen !== undefined)).not.toContain(false);
});
