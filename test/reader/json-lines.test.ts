import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readJsonLines } from '../../src/reader/json-lines.ts';
import { startAnsweringServer, type Answer } from './answering-server.ts';

async function collect(records: AsyncIterable<unknown>) {
  const all: unknown[] = [];
  try {
    for await (const record of records) all.push(record);
  } catch (error) {
    return { all, error };
  }
  return { all };
}

async function readFrom(answer: Answer) {
  const server = await startAnsweringServer(answer);
  return collect(readJsonLines(await fetch(server.url)));
}

/** Sends pieces one by one, each in a chunk of its own. */
const sendPieces =
  (pieces: readonly (string | Uint8Array)[]): Answer =>
  async (response) => {
    for (const piece of pieces) {
      await new Promise((resolve) => response.write(piece, resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };

test('an empty body has no records', async () => {
  expect(await readFrom((response) => void response.end())).toEqual({ all: [] });
});

test('records are read whatever the pieces they come in', async () => {
  const text = new TextEncoder().encode('{"a":"é😀"}\r\n[1]\n\n"last"');
  const single = Array.from(text, (byte) => Uint8Array.of(byte));
  expect(await readFrom(sendPieces(single))).toEqual({ all: [{ a: 'é😀' }, [1], 'last'] });
  expect(await readFrom(sendPieces([text]))).toEqual({ all: [{ a: 'é😀' }, [1], 'last'] });
});

test('a record is there before the next one is sent', async () => {
  let sendRest = () => {};
  const server = await startAnsweringServer((response) => {
    response.write('1\n');
    sendRest = () => response.end('2\n');
  });
  const records = readJsonLines(await fetch(server.url));
  expect(await records.next()).toEqual({ value: 1, done: false });
  sendRest();
  expect(await collect(records)).toEqual({ all: [2] });
});

test('a connection that breaks is a broken stream, after what came', async () => {
  const { all, error } = await readFrom(async (response) => {
    await new Promise((resolve) => response.write('1\n2\n{"cut', resolve));
    response.destroy();
  });
  // What was on its way when the connection broke may be lost with it.
  expect([1, 2].slice(0, all.length)).toEqual(all);
  expect(error).toMatchObject({ code: 'broken_stream' });
});

test('a body that ends inside a record is a broken stream', async () => {
  const result = await readFrom((response) => void response.end('1\n{"cut'));
  expect(result).toMatchObject({ all: [1], error: { code: 'broken_stream' } });
});

test('the failure line of the service is a broken stream with its reason', async () => {
  const failure = { reason: 'disk gone', error_code: 'unavailable', status: 503 };
  const { all, error } = await readFrom(
    (response) => void response.end(`1\n${JSON.stringify({ _svc_error: failure })}\n`),
  );
  expect(all).toEqual([1]);
  expect(error).toMatchObject({
    code: 'broken_stream',
    message: 'Cannot read the stream to its end: disk gone',
    extra: failure,
  });
});

test('leaving the loop ends the transfer', async () => {
  let closed: Promise<unknown> | undefined;
  const server = await startAnsweringServer((response) => {
    closed = once(response, 'close');
    response.write('1\n');
  });
  for await (const record of readJsonLines(await fetch(server.url))) {
    expect(record).toBe(1);
    break;
  }
  await closed;
  expect(closed).toBeDefined();
});

test('an aborted stream rejects with the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const server = await startAnsweringServer((response) => void response.write('1\n'));
  const records = readJsonLines(await fetch(server.url, { signal: controller.signal }), { signal: controller.signal });
  await records.next();
  controller.abort(reason);
  await expect(records.next()).rejects.toBe(reason);
});

test('a long line in many pieces is one record', async () => {
  const piece = 'x'.repeat(64 * 1024);
  const pieces = ['"', ...Array.from({ length: 400 }, () => piece), '"\n'];
  const { all } = await readFrom(sendPieces(pieces));
  expect(all[0]).toHaveLength(400 * piece.length);
});

test.each(['identity', 'gzip'])(
  'an abort between two records ends a stream that arrived whole as %s',
  async (encoding) => {
    const text = Array.from({ length: 20_000 }, (_, index) => `{"index":${index},"text":"some words"}\n`).join('');
    const server = await startAnsweringServer((response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(encoding === 'gzip' ? gzipSync(text) : text);
    });
    const controller = new AbortController();
    const records = readJsonLines(await fetch(server.url, { signal: controller.signal }), {
      signal: controller.signal,
    });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const record of records) {
        seen.push(record);
        if (seen.length === 400) controller.abort(new Error('enough'));
      }
    };
    await expect(read()).rejects.toThrow('enough');
    expect(seen).toHaveLength(400);
  },
);
