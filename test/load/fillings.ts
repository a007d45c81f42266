import { PROJECT } from './right-bodies.ts';

/** A text that fills the room given to it. */
export type Filling = (bytes: number) => Buffer;

export const repeated =
  (unit: string, before: string, after: string): Filling =>
  (bytes) => {
    const room = Math.max(0, bytes - before.length - after.length);
    const filled = Buffer.alloc(Math.floor(room / unit.length) * unit.length, unit);
    return Buffer.concat([Buffer.from(before), filled, Buffer.from(after)]);
  };

export const list = (item: string): Filling => repeated(`${item},`, '[', `${item}]`);

export const keys =
  (value: string, count = Number.POSITIVE_INFINITY): Filling =>
  (bytes) => {
    const parts: string[] = [];
    for (let index = 0, size = 2; size < bytes && index < count; index++) {
      const part = `"k${index.toString(36)}":${value}`;
      size += part.length + 1;
      parts.push(part);
    }
    return Buffer.from(`{${parts.join(',')}}`);
  };

export const longKeys: Filling = (bytes) => {
  const length = Math.floor(bytes / 150);
  const members = Array.from({ length: 150 }, (_, index) => `"${String(index).padEnd(length - 5, 'k')}":1`);
  return Buffer.from(`{${members.join(',')}}`);
};

/** Small objects, each with a key of its own. */
const differing: Filling = (bytes) => {
  const parts: string[] = [];
  for (let index = 0, size = 2; size < bytes; index++) {
    const part = `{"k${index.toString(36)}":1}`;
    size += part.length + 1;
    if (size < bytes) parts.push(part);
  }
  return Buffer.from(`[${parts.join(',')}]`);
};

/** Branches that lie so deep inside one another. */
export const deep =
  (levels: number): Filling =>
  (bytes) => {
    const branch = '['.repeat(levels) + ']'.repeat(levels);
    return list(branch)(bytes);
  };

/** What a value may be at its worst. The first of a pair is the name of the case. */
const MADE: readonly (readonly [string, Filling])[] = [
  ['empty objects', (bytes) => wrapped(list('{}'))(bytes)],
  ['a million empty objects', (bytes) => wrapped(list('{}'))(Math.min(bytes, 3_000_000))],
  ['small objects', (bytes) => wrapped(list('{"a":1}'))(bytes)],
  ['pairs', (bytes) => wrapped(list('{"key":"some name","value":"some text of a user"}'))(bytes)],
  ['digits', (bytes) => wrapped(list('1'))(bytes)],
  ['numbers', (bytes) => wrapped(list('0.12345678'))(bytes)],
  ['numbers of another class', (bytes) => wrapped(list('1.0'))(bytes)],
  ['texts', (bytes) => wrapped(list('"some text of a user"'))(bytes)],
  ['references', (bytes) => wrapped(list(`"svc:///${PROJECT}/call/0190a1b2"`))(bytes)],
  ['400,000 keys', (bytes) => keys('1', 400_000)(bytes)],
  ['100,000 keys', (bytes) => keys('1', 100_000)(bytes)],
  ['keys', keys('1')],
  ['keys of objects', keys('{}')],
  ['keys that differ', (bytes) => wrapped(differing)(bytes)],
  ['numbers of many digits', (bytes) => wrapped(list('12345678901234567890'))(bytes)],
  ['long keys', longKeys],
  ['a long text in a value', (bytes) => wrapped(repeated('x', '"', '"'))(bytes)],
  ['escapes', (bytes) => wrapped(repeated('\\n', '"', '"'))(bytes)],
  ['escaped quotes', (bytes) => wrapped(repeated('\\"', '"', '"'))(bytes)],
  ['code units', (bytes) => wrapped(repeated('\\u00e9', '"', '"'))(bytes)],
  ['wide characters', (bytes) => wrapped(repeated('é', '"', '"'))(bytes)],
  ['400 levels', (bytes) => wrapped(deep(400))(bytes)],
  ['4000 levels', (bytes) => wrapped(deep(4000))(bytes)],
  ['a million levels', (bytes) => wrapped(repeated('[', '', ''))(Math.min(bytes, 1_000_000))],
];

/** Large ones are made once: all endpoints get the same, to a few kilobytes. */
export const VALUES = MADE.map(([name, make]): readonly [string, Filling] => {
  const made = new Map<number, Buffer>();
  return [
    name,
    (bytes) => {
      if (bytes < ROUNDED_BYTES * 64) return make(bytes);
      const size = Math.floor(bytes / ROUNDED_BYTES) * ROUNDED_BYTES;
      const filled = made.get(size) ?? make(size);
      made.set(size, filled);
      return filled;
    },
  ];
});

const ROUNDED_BYTES = 16 * 1024;

/** Values of users are objects. */
export function wrapped(filling: Filling): Filling {
  return (bytes) => Buffer.concat([Buffer.from('{"a":'), filling(bytes - 6), Buffer.from('}')]);
}

export const TEXTS: readonly (readonly [string, Filling])[] = [
  ['a long text', repeated('x', '"', '"')],
  ['wide characters', repeated('😀', '"', '"')],
];

export const LISTS: readonly (readonly [string, Filling])[] = [
  ['empty objects', list('{}')],
  ['nulls', list('null')],
  ['texts', list('"x"')],
  ['empty lists', list('[]')],
];
