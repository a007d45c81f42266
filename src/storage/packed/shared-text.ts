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

/** Memory of at least so many bytes. */
type Allocate = (bytes: number) => SharedArrayBuffer;

const allocateNew: Allocate = (bytes) => new SharedArrayBuffer(bytes);

/** Records, to be passed on in the same way. */
export function sharePacked({ count, short, long, lengths, numbers }: Packed, allocate = allocateNew): Packed {
  const texts = [short, ...long].map(textOf);
  const shapes = texts.map(shapeOf);
  let start = numbers.byteLength + lengths.byteLength;
  const memory = allocate(shapes.reduce((bytes, shape) => bytes + bytesOf(shape), start));
  const shared = texts.map((text, index) => {
    const shape = shapes[index] ?? shapeOf(text);
    const bytes = new Uint8Array(memory, start, bytesOf(shape));
    start += bytes.length;
    return writeText(text, shape, bytes);
  });
  const [first = short, ...others] = shared;
  return { count, short: first, long: others, ...sharedNumbers({ lengths, numbers }, memory) };
}

/** At the beginning of the memory, where each of them lies as it has to. */
function sharedNumbers(
  { lengths, numbers }: Pick<Packed, 'lengths' | 'numbers'>,
  memory: SharedArrayBuffer,
): Pick<Packed, 'lengths' | 'numbers'> {
  const own = new Float64Array(memory, 0, numbers.length);
  own.set(numbers);
  const ownLengths = new Int32Array(memory, own.byteLength, lengths.length);
  ownLengths.set(lengths);
  return { lengths: ownLengths, numbers: own };
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
