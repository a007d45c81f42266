import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/light.js';
import { afterEach, expect, test } from 'vitest';
import { PROTOBUF_SCHEMA } from '../../src/server/ingest/otlp/protobuf-schema.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

let running: RunningServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

const root = protobuf.Root.fromJSON(PROTOBUF_SCHEMA);
const SPAN = {
  traceId: Buffer.from('0123456789abcdef0123456789abcdef', 'hex'),
  spanId: Buffer.from('0123456789abcdef', 'hex'),
  name: 'chat',
  kind: 3,
  startTimeUnixNano: '1767225600000000001',
  endTimeUnixNano: '1767225601500000000',
  attributes: [
    { key: 'input', value: { stringValue: 'hi' } },
    { key: 'output', value: { kvlistValue: { values: [{ key: 'big', value: { intValue: '-9007199254740993' } }] } } },
    {
      key: 'svc.attributes',
      value: { kvlistValue: { values: [{ key: 'b', value: { bytesValue: Buffer.from('hi') } }] } },
    },
  ],
};

function encode(...spans: object[]): Buffer {
  const type = root.lookupType('ExportTraceServiceRequest');
  return Buffer.from(type.encode(type.fromObject({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).finish());
}

async function send(
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<{ response: Response; bytes: Buffer }> {
  running ??= await startServer();
  const response = await fetch(`${running.url}/otel/v1/traces`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${running.apiKey}`,
      project_id: PROJECT,
      'content-type': 'application/x-protobuf',
      ...headers,
    },
    body,
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function readText(): Promise<string> {
  const answer = await running?.post('/call/read', { project_id: PROJECT, id: '0123456789abcdef' });
  return answer?.text ?? '';
}

test.each([
  ['application/x-protobuf', {}],
  ['application/protobuf; charset=utf-8', {}],
  ['application/x-protobuf', { 'content-encoding': 'gzip' }],
])('an export in %s %j becomes calls', async (type, headers: Record<string, string>) => {
  const body = headers['content-encoding'] ? gzipSync(encode(SPAN)) : encode(SPAN);
  const { response, bytes } = await send(body, { 'content-type': type, ...headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-protobuf');
  expect(bytes).toHaveLength(0);
  const text = await readText();
  expect(text).toContain('"trace_id":"0123456789abcdef0123456789abcdef"');
  expect(text).toContain('"inputs":{"input":"hi"}');
  expect(text).toContain('"output":{"big":-9007199254740993}');
  expect(text).toContain('"b":"aGk="');
  expect(text).toContain('"start_time":"2026-01-01T00:00:00.000000001Z"');
});

test('spans that are left out are counted in protobuf', async () => {
  const { response, bytes } = await send(encode(SPAN, { ...SPAN, spanId: Buffer.alloc(8) }));
  expect(response.status).toBe(200);
  const type = root.lookupType('ExportTraceServiceResponse');
  expect(type.toObject(type.decode(bytes), { longs: String })).toMatchObject({
    partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('span id') as string },
  });
  expect(await readText()).toContain('"op_name":"chat"');
});

test('a body that is no protobuf message is refused in JSON', async () => {
  const { response, bytes } = await send(Buffer.from('{"resourceSpans":[]}'));
  expect(response.status).toBe(400);
  expect(JSON.parse(bytes.toString())).toMatchObject({ error_code: 'invalid_request' });
});
