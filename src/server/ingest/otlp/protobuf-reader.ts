import { undecodable } from './message.ts';

/** Reads what a message is made of, from its first byte to its last. */
export class ProtobufReader {
  readonly bytes: Buffer;
  readonly end: number;
  index: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.index = start;
    this.end = end;
  }

  get isDone(): boolean {
    return this.index >= this.end;
  }

  /** A tag, a length, or an integer of 32 bits without its sign. */
  uint32(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
      if (shift >= MAX_SHIFT) throw undecodable('a number is too long');
    }
  }

  /** With all of its digits, as JSON has it. */
  int64(): string {
    const start = this.index;
    let small = 0;
    for (let shift = 0; shift < SMALL_BITS; shift += 7) {
      const byte = this.#byte();
      small |= (byte & 0x7f) << shift;
      if (byte < 0x80) return String(small);
    }
    this.index = start;
    return this.#long();
  }

  fixed64(): string {
    return this.bytes.readBigUInt64LE(this.#take(8)).toString();
  }

  double(): number {
    return this.bytes.readDoubleLE(this.#take(8));
  }

  /** The bytes of a field with a length: of a message, a text, or bytes of a user. */
  withLength(): { readonly start: number; readonly end: number } {
    const length = this.uint32();
    const start = this.#take(length);
    return { start, end: start + length };
  }

  /** Goes behind a field of a type of writing. */
  skip(wire: number): void {
    if (wire === 0) this.int64();
    else if (wire === 1) this.#take(8);
    else if (wire === 2) this.withLength();
    else if (wire === 5) this.#take(4);
    else throw undecodable('it has groups, or is no protobuf message');
  }

  #long(): string {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value).toString();
      if (shift >= MAX_SHIFT) throw undecodable('a number is too long');
    }
  }

  #byte(): number {
    return this.bytes[this.#take(1)] ?? 0;
  }

  /** Where so many bytes begin. */
  #take(count: number): number {
    const start = this.index;
    this.index += count;
    if (this.index > this.end) throw undecodable('a field is cut off');
    return start;
  }
}

/** A number has ten bytes at most. */
const MAX_SHIFT = 63;

/** So many bits are read as a plain number. */
const SMALL_BITS = 28;
