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

/** A text, to be passed on by a thread that only passes it on, however long it is. */
export function shareText(text: string): SharedText {
  const shape = shapeOf(text);
  return writeText(text, shape, new Uint8Array(new SharedArrayBuffer(bytesOf(shape))));
}

/** Records, to be passed on in the same way. */
export function sharePacked({ count, short, long, lengths, numbers }: Packed): Packed {
  const texts = [short, ...long].map(textOf);
  const shapes = texts.map(shapeOf);
  const memory = new SharedArrayBuffer(shapes.reduce((bytes, shape) => bytes + bytesOf(shape), 0));
  let start = 0;
  const shared = texts.map((text, index) => {
    const shape = shapes[index] ?? shapeOf(text);
    const bytes = new Uint8Array(memory, start, bytesOf(shape));
    start += bytes.length;
    return writeText(text, shape, bytes);
  });
  const [first = short, ...others] = shared;
  return { count, short: first, long: others, lengths: sharedCopy(lengths), numbers: sharedCopy(numbers) };
}

type Shape = Pick<SharedText, 'isWide' | 'length'>;

function shapeOf(text: string): Shape {
  return { isWide: !isNarrow(text), length: text.length };
}

function writeText(text: string, shape: Shape, bytes: Uint8Array): SharedText {
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).write(text, encodingOf(shape));
  return { bytes, ...shape };
}

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
