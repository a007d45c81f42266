import type { Packed } from './packing.ts';

/** A text in memory that all threads have: it is passed on without being copied. */
export interface SharedText {
  readonly bytes: Uint8Array;
  /** Two bytes for each unit of UTF-16, else one. */
  readonly isWide: boolean;
  /** Units of UTF-16. */
  readonly length: number;
}

export function textOf(text: string | SharedText): string {
  if (typeof text === 'string') return text;
  const { buffer, byteOffset, byteLength } = text.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString(encodingOf(text));
}

/** The same records, to be passed on by a thread that only passes them on, however large they are. */
export function sharePacked({ count, short, long, lengths, numbers }: Packed): Packed {
  const texts = [short, ...long].map(textOf);
  const shapes = texts.map((text) => ({ isWide: !isNarrow(text), length: text.length }));
  const memory = new SharedArrayBuffer(shapes.reduce((bytes, shape) => bytes + bytesOf(shape), 0));
  let start = 0;
  const shared = texts.map((text, index): SharedText => {
    const shape = shapes[index] ?? { isWide: true, length: text.length };
    const bytes = Buffer.from(memory, start, bytesOf(shape));
    bytes.write(text, encodingOf(shape));
    start += bytes.length;
    return { bytes: new Uint8Array(memory, bytes.byteOffset, bytes.length), ...shape };
  });
  const [first = short, ...others] = shared;
  return { count, short: first, long: others, lengths: sharedCopy(lengths), numbers: sharedCopy(numbers) };
}

type Shape = Pick<SharedText, 'isWide' | 'length'>;

function bytesOf({ isWide, length }: Shape): number {
  return isWide ? length * 2 : length;
}

function encodingOf({ isWide }: Pick<SharedText, 'isWide'>): 'utf16le' | 'latin1' {
  return isWide ? 'utf16le' : 'latin1';
}

function isNarrow(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- every unit that a byte can hold
  return /^[\u0000-\u00ff]*$/.test(text);
}

function sharedCopy<Numbers extends Int32Array | Float64Array>(numbers: Numbers): Numbers {
  const memory = new SharedArrayBuffer(numbers.byteLength);
  new Uint8Array(memory).set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  // Either class is made of a buffer.
  return new (numbers.constructor as new (buffer: SharedArrayBuffer) => Numbers)(memory);
}
