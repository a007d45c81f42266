import protobuf from 'protobufjs/light.js';
import { expect, test } from 'vitest';
import { PROTOBUF_SCHEMA } from '../../src/server/ingest/otlp/protobuf-schema.ts';
import { loadProtobuf } from '../../src/server/ingest/otlp/protobuf.ts';
import { checkMessages } from '../../src/server/ingest/otlp/protobuf-survey.ts';
import { Random } from '../flow/chaos/random.ts';

const type = protobuf.Root.fromJSON(PROTOBUF_SCHEMA).lookupType('ExportTraceServiceRequest');

/** Every kind of field, the longest numbers among them. */
const span = (index: number) => ({
  traceId: Buffer.alloc(16, index + 1),
  name: 'n'.repeat(index * 40),
  kind: index % 2 === 0 ? 3 : -1,
  startTimeUnixNano: '1767225600000000001',
  attributes: [
    { key: 'a', value: { intValue: '-1' } },
    { key: 'b', value: { doubleValue: 0.5 } },
    { key: 'c', value: { arrayValue: { values: [{ boolValue: true }, {}, { bytesValue: Buffer.from('x') }] } } },
    { key: 'd', value: { kvlistValue: { values: [{ key: 'e', value: { intValue: '9007199254740993' } }] } } },
  ],
  events: [{ name: 'e', timeUnixNano: '1', attributes: [{ key: 'f', value: { stringValue: 'g' } }] }],
  status: { message: 'm', code: 2 },
});

function encode(spans: number): Buffer {
  const resource = { attributes: [{ key: 'r', value: { stringValue: 's' } }] };
  const scopeSpans = [{ spans: Array.from({ length: spans }, (_, index) => span(index)) }];
  return Buffer.from(type.encode(type.fromObject({ resourceSpans: [{ resource, scopeSpans }] })).finish());
}

/** How many messages are in what was decoded. */
function count(value: unknown): number {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  if (Symbol.iterator in value)
    return [...(value as Iterable<unknown>)].reduce((sum: number, item) => sum + count(item), 0);
  return Object.values(value).reduce((sum: number, member) => sum + count(member), 1);
}

test.each([1, 2, 5, 30])('all messages of an export of %i spans are counted', async (spans) => {
  const bytes = encode(spans);
  const codec = await loadProtobuf();
  expect(await checkMessages(bytes)).toBe(count(codec.decodeRequest(bytes)) - 1);
});

test('unknown fields of every type but groups are passed over', async () => {
  const unknown = Buffer.from([0x78, 0xff, 0x01, 0x79, ...Array(8).fill(7), 0x7a, 0x02, 1, 2, 0x7d, 1, 2, 3, 4]);
  expect(await checkMessages(Buffer.concat([unknown, encode(1), unknown]))).toBe(await checkMessages(encode(1)));
});

test(
  'whatever bytes the decoder accepts, it finds no more messages than were counted',
  { timeout: 60_000 },
  async () => {
    const codec = await loadProtobuf();
    const random = new Random(7);
    const sound = encode(2);
    const missed: object[] = [];
    let accepted = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = Buffer.from(sound);
      for (let change = random.between(0, 2); change >= 0; change--) {
        // What begins a message changes most of it.
        const place = random.between(0, random.isTrue(0.25) ? bytes.length - 1 : 40);
        bytes[place] = random.between(0, 255);
      }
      const counted = await checkMessages(bytes).catch(() => -1);
      if (counted < 0) continue;
      let found = 0;
      try {
        found = count(codec.decodeRequest(bytes)) - 1;
      } catch {
        continue;
      }
      accepted += 1;
      if (found > counted) missed.push({ found, counted, bytes: bytes.toString('hex') });
    }
    expect(missed).toEqual([]);
    expect(accepted).toBeGreaterThan(1000);
  },
);

const EMPTY = (tag: number[], messages: number) =>
  Buffer.concat(Array<Buffer>(messages).fill(Buffer.from([...tag, 0])));

test.each([
  ['behind a group', [0x7b, 0x7c], [0x0a]],
  ['behind the end of a group', [0x7c], [0x0a]],
  ['written as numbers', [], [0x08]],
  ['written as eight bytes', [], [0x09]],
  ['with long tags', [], [0x8a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
  ['behind a long number', [0x78, ...Array<number>(9).fill(0xff), 0x01], [0x0a]],
])('too many messages %s are refused', async (_name, prefix, tag) => {
  const bytes = Buffer.concat([Buffer.from(prefix), EMPTY(tag, 600_000)]);
  await expect(checkMessages(bytes)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:invalid_request|payload_too_large)$/),
  });
});
