import type { BodyCase } from './body-cases.ts';
import { headersOf, pathOf } from './body-cases.ts';

/** A field of a message: its number and what it holds. */
type Part = readonly [number, Buffer | string | readonly Part[]];

/** The messages of a form, each with the parts of the one it is in. */
const exported = (spans: Buffer, resource: readonly Part[] = []) =>
  encode([
    [
      1,
      [
        [1, resource],
        [2, spans.length === 0 ? [] : spans],
      ],
    ],
  ]);

function encode(parts: readonly Part[]): Buffer {
  return Buffer.concat(parts.map(([id, value]) => field(id, isParts(value) ? encode(value) : Buffer.from(value))));
}

function isParts(value: Part[1]): value is readonly Part[] {
  return Array.isArray(value);
}

/** A field with a length. */
function field(id: number, value: Buffer): Buffer {
  return Buffer.concat([varint(id * 8 + 2), varint(value.length), value]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

const START = Buffer.concat([Buffer.from([7 * 8 + 1]), Buffer.alloc(8, 1)]);
const string = (text: string): Part => [2, [[1, text]]];
const attribute = (key: string, value: Part): Part => [9, [[1, key], value]];

/** Number `index` of many spans. */
const span = (index: number, parts: readonly Part[]) => spanWith(index, encode(parts));

function spanWith(index: number, rest: Buffer): Buffer {
  const id = Buffer.alloc(8);
  id.writeUInt32BE(index + 1, 4);
  const own: readonly Part[] = [
    [1, Buffer.alloc(16, 1)],
    [2, id],
    [5, 's'],
  ];
  return field(2, Buffer.concat([encode(own), START, rest]));
}

/** So many equal spans, but for their ids. */
const spans = (count: number, parts: readonly Part[]) =>
  exported(Buffer.concat(Array.from({ length: count }, (_, index) => span(index, parts))));

/** So many small spans in one body. */
export const manySpans = (count: number): Buffer => spans(count, []);

/** The same, and each has ended. */
export const manyEndedSpans = (count: number): Buffer => {
  const end = Buffer.concat([Buffer.from([8 * 8 + 1]), Buffer.alloc(8, 1)]);
  return exported(Buffer.concat(Array.from({ length: count }, (_, index) => spanWith(index, end))));
};

/** So many of something, of which nothing is made but the bytes. */
const alike = (count: number, part: Part) => {
  const unit = encode([part]);
  return { unit, bytes: Buffer.alloc(count * unit.length, unit) };
};

const EVENT: Part = [11, [[2, 'event']]];
const LINK: Part = [13, [[1, Buffer.alloc(16, 2)]]];

/** So many events and links of one span, half of them events. */
export const manyEvents = (count: number): Buffer =>
  exported(spanWith(0, Buffer.concat([EVENT, LINK].map((part) => alike(count / 2, part).bytes))));

/** So many attributes of one span. */
export function manyAttributes(count: number): Buffer {
  const { unit, bytes } = alike(count, attribute('key000000000', string('text')));
  const digits = unit.indexOf('000000000');
  for (let index = 0; index < count; index++) {
    bytes.write(String(index).padStart(9, '0'), index * unit.length + digits, 'latin1');
  }
  return exported(spanWith(0, bytes));
}

/** As many of something as there is room for. */
const fill = (bytes: number, unit: Buffer, most = Number.POSITIVE_INFINITY) =>
  Buffer.concat(Array<Buffer>(Math.min(most, Math.floor((bytes - 1000) / unit.length))).fill(unit));

/** Values that lie inside of one another: a list in a list. */
function nested(levels: number): Part {
  let value: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels; level++) value = field(5, field(1, value));
  return [2, value];
}

const MESSAGES = 500_000;
const AT_ONCE = 10_000;
const BYTES_AT_ONCE = 256 * 1024;

const EXPORTS: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'empty spans': (bytes) => exported(fill(bytes, Buffer.from([2 * 8 + 2, 0]), MESSAGES - 10)),
  'too many empty spans': (bytes) => exported(fill(bytes, Buffer.from([2 * 8 + 2, 0]))),
  'small spans': (bytes) => spans(Math.min(MESSAGES - 10, Math.floor(bytes / 45)), []),
  'spans with attributes': (bytes) =>
    spans(
      Math.floor(bytes / 1200),
      Array.from({ length: 50 }, (_, index) => attribute(`key${index}`, string('text'))),
    ),
  'one span with attributes': () =>
    spans(
      1,
      Array.from({ length: MESSAGES / 2 - 10 }, (_, index) => attribute(`key${index}`, string('text'))),
    ),
  'attributes with the same key': () => spans(1, Array<Part>(MESSAGES / 2 - 10).fill(attribute('a.b.c', string('x')))),
  'keys with many dots': () =>
    spans(
      1,
      Array.from({ length: 2000 }, (_, index) => attribute(`k${index}${'.a'.repeat(1000)}`, string('x'))),
    ),
  'long texts': (bytes) => spans(10, [attribute('a', string('x'.repeat(bytes / 10 - 100)))]),
  'a long text': (bytes) => spans(1, [attribute('a', string('x'.repeat(bytes - 200)))]),
  'a long name': (bytes) => spans(1, [[5, 'é'.repeat(bytes / 2 - 200)]]),
  'bytes as a value': (bytes) => spans(1, [attribute('a', [2, [[7, Buffer.alloc(bytes - 200, 0xff)]]])]),
  'lists of values': () =>
    spans(1, [attribute('a', [2, [[5, Array.from({ length: MESSAGES - 20 }, (): Part => [1, [[1, 'x']]])]]])]),
  'a deep value': () => spans(1, [attribute('a', nested(2490))]),
  'many deep values': () =>
    spans(
      1,
      Array.from({ length: 900 }, (_, index) => attribute(`k${index}`, nested(250))),
    ),
  'a value that is too deep': () => spans(1, [attribute('a', nested(20_000))]),
  'events and links': (bytes) =>
    spans(
      1,
      Array.from({ length: Math.min(MESSAGES - 10, bytes / 60) }, (_, index): Part => (index % 2 ? EVENT : LINK)),
    ),
  'events up to the limit of a call': () => manyEvents(280_000),
  'wrong wire types': (bytes) => exported(fill(bytes, Buffer.from([2 * 8, 0]))),
  'one wrong wire type': (bytes) =>
    Buffer.concat([spans(Math.min(MESSAGES / 2, Math.floor(bytes / 50)), []), Buffer.from([1 * 8, 0])]),
  'unknown fields': (bytes) => fill(bytes, Buffer.from([0x78, 0x01])),
  'long numbers': (bytes) => fill(bytes, Buffer.from([0x78, ...Array<number>(9).fill(0xff), 0x01])),
  'no message': (bytes) => Buffer.alloc(bytes, 0xff),
  'attributes of a resource': (bytes) =>
    exported(
      span(0, []),
      Array.from({ length: Math.min(MESSAGES / 2 - 10, bytes / 20) }, (_, index): Part => [
        1,
        [[1, `key${index}`], string('x')],
      ]),
    ),
  'attributes of a resource, for all spans': () =>
    exported(
      Buffer.concat(Array.from({ length: 100_000 }, (_, index) => span(index, []))),
      Array.from({ length: 1000 }, (_, index): Part => [1, [[1, `key${index}`], string('x'.repeat(10))]]),
    ),
  'messages below the thread': () => spans(AT_ONCE / 2 - 10, []),
  'attributes below the thread': () =>
    spans(
      1,
      Array.from({ length: AT_ONCE / 2 - 100 }, (_, index) => attribute(`key${index}`, string('text'))),
    ),
  'texts below the thread': () => spans(100, [attribute('a', string('x'.repeat(BYTES_AT_ONCE / 100 - 60)))]),
  'a deep value below the thread': () => spans(1, [attribute('a', nested(2490))]),
};

/** Exports in protobuf, of all shapes. */
export function protobufCases(): BodyCase[] {
  const headers = { ...headersOf('otelExportTraces'), 'content-type': 'application/x-protobuf' };
  const path = pathOf('otelExportTraces');
  return Object.entries(EXPORTS).map(([kind, make]) => {
    return { endpoint: 'otelExportTraces', path, name: `protobuf, ${kind}`, kind: `protobuf, ${kind}`, headers, make };
  });
}
