import { chance } from '../../host/random.ts';

const LAST_COUNTER = 0xfff;

/**
 * Texts of random digits, made many at a time: a call into crypto costs thirty times what a slice costs, and a text in
 * few pieces is put together faster. `r` stands for any digit, `v` for one of `8 9 a b`, as RFC 9562 wants.
 */
class RandomTexts {
  readonly #pattern: string;
  /** The pattern as often as there are texts at once; made when the first is wanted. */
  #marks: Buffer | undefined;
  #text = '';
  #used = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  next(): string {
    if (this.#used === this.#text.length) this.#fill();
    const from = this.#used;
    this.#used += this.#pattern.length;
    return this.#text.slice(from, this.#used);
  }

  #fill(): void {
    const marks = (this.#marks ??= Buffer.from(this.#pattern.repeat(TEXTS_AT_ONCE)));
    const { randomFillSync } = chance();
    const bytes = randomFillSync(Buffer.allocUnsafe(marks.length));
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      const mark = marks[index];
      if (mark === ANY) bytes[index] = HEX[byte & 15] ?? 0;
      else bytes[index] = mark === VARIANT ? (HEX[8 + (byte & 3)] ?? 0) : (mark ?? 0);
    }
    this.#text = bytes.toString('latin1');
    this.#used = 0;
  }
}

const TEXTS_AT_ONCE = 256;
const HEX = Buffer.from('0123456789abcdef');
const [ANY, VARIANT] = Buffer.from('rv');

const callTails = new RandomTexts('-vrrr-rrrrrrrrrrrr');
const traceTails = new RandomTexts('rrrvrrrrrrrrrrrrrrr');
const spanIds = new RandomTexts('vrrrrrrrrrrrrrrr');

let lastMs = -1;
let counter = 0;
let prefix = '';

let lastTraceMs = Number.NaN;
let tracePrefix = '';

/**
 * A UUIDv7 for a call that starts at `wallMicros`. Ids of one process grow strictly: the 12 bits after the
 * millisecond count, and a clock that goes back is ignored until it has caught up. With `spanId` it ends in that, so
 * that the digit which names the kind of id may be any.
 */
export function createCallId(wallMicros: number, spanId?: string): string {
  const ms = Math.floor(wallMicros / 1000);
  if (ms > lastMs) startMs(ms);
  else if (counter === LAST_COUNTER) startMs(lastMs + 1);
  else counter += 1;
  const tail = spanId === undefined ? callTails.next() : `-${spanId.slice(0, 4)}-${spanId.slice(4)}`;
  return prefix + counterDigits(counter) + tail;
}

/** A trace id: 32 hexadecimal digits, the bits of a UUIDv7, so that it is a W3C trace id as it stands. */
export function createTraceId(wallMicros: number): string {
  const ms = Math.floor(wallMicros / 1000);
  if (ms !== lastTraceMs) {
    tracePrefix = `${digitsOf(ms)}7`;
    lastTraceMs = ms;
  }
  return tracePrefix + traceTails.next();
}

/** A span id for what is not recorded. All zeros are no span id, and the first digit keeps them out. */
export function randomSpanId(): string {
  return spanIds.next();
}

const knownCounterDigits: string[] = [];

function counterDigits(count: number): string {
  return (knownCounterDigits[count] ??= count.toString(16).padStart(3, '0'));
}

function startMs(ms: number): void {
  const digits = digitsOf(ms);
  lastMs = ms;
  counter = 0;
  prefix = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
}

function digitsOf(ms: number): string {
  return ms.toString(16).padStart(12, '0');
}
