const MORE = 0x80;
const MAX_BITS = 0x7fff_ffff;
const MAX_VARINT_BYTES = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes whole numbers, seven bits a byte, and texts into a buffer that grows. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** A whole number from 0 to 2^53 - 1; what is greater is written as that. */
  varint(value: number): void {
    this.#reserve(MAX_VARINT_BYTES);
    let rest = Math.min(value, Number.MAX_SAFE_INTEGER);
    // Bits are those of 32 only.
    while (rest > MAX_BITS) {
      this.#bytes[this.#length++] = (rest % MORE) | MORE;
      rest = Math.floor(rest / MORE);
    }
    while (rest >= MORE) {
      this.#bytes[this.#length++] = (rest & 0x7f) | MORE;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A whole number of either sign, up to 2^52. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(text: string): void {
    const bytes = encoder.encode(text);
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The bytes that were written since the last take. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what `ByteWriter` has written; throws a `RangeError` where the bytes end too early. */
export class ByteCursor {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= MORE) {
      const byte = this.byte();
      value += (byte % MORE) * factor;
      if (byte < MORE) return value;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    return decoder.decode(this.bytes(this.varint()));
  }

  byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw tooShort();
    this.#position += 1;
    return byte;
  }

  bytes(count: number): Uint8Array {
    const end = this.#position + count;
    if (end > this.#bytes.length) throw tooShort();
    const bytes = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return bytes;
  }
}

function tooShort(): RangeError {
  return new RangeError('Cannot read the bytes: they end too early');
}
