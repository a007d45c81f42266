const POOL_BYTES = 4096;
const LAST_COUNTER = 0xfff;

let poolBytes: Buffer | undefined;
let pool = '';
let used = 0;

let lastMs = -1;
let counter = 0;
let prefix = '';

let lastTraceMs = Number.NaN;
let tracePrefix = '';

/**
 * A UUIDv7 for a call that starts at `wallMicros`. Ids of one process grow strictly: the 12 bits after the
 * millisecond count, and a clock that goes back is ignored until it has caught up.
 */
export function createCallId(wallMicros: number): string {
  const ms = Math.floor(wallMicros / 1000);
  if (ms > lastMs) startMs(ms);
  else if (counter === LAST_COUNTER) startMs(lastMs + 1);
  else counter += 1;
  const random = randomHex(16);
  return `${prefix}${COUNTER_DIGITS[counter] ?? addDigits()}-${variantOf(random)}${random.slice(1, 4)}-${random.slice(4)}`;
}

/** A trace id: 32 hexadecimal digits, the bits of a UUIDv7, so that it is a W3C trace id as it stands. */
export function createTraceId(wallMicros: number): string {
  const ms = Math.floor(wallMicros / 1000);
  if (ms !== lastTraceMs) {
    tracePrefix = `${digitsOf(ms)}7`;
    lastTraceMs = ms;
  }
  const random = randomHex(19);
  return `${tracePrefix}${random.slice(1, 4)}${variantOf(random)}${random.slice(4)}`;
}

/** The W3C span id of a call: the last 16 hexadecimal digits of its id. */
export function spanIdOf(callId: string): string {
  return callId.replaceAll('-', '').slice(-16);
}

/** A span id for what is not recorded. All zeros are no span id, and the first digit keeps them out. */
export function randomSpanId(): string {
  const random = randomHex(16);
  return `${variantOf(random)}${random.slice(1)}`;
}

/** As many as the busiest millisecond has needed so far. */
const COUNTER_DIGITS: string[] = [];

function addDigits(): string {
  const digits = counter.toString(16).padStart(3, '0');
  COUNTER_DIGITS[counter] = digits;
  return digits;
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

/** One of `8 9 a b`, as RFC 9562 wants. */
function variantOf(random: string): string {
  return '89ab'[random.charCodeAt(0) & 3] ?? '8';
}

/** Random digits from a pool: a call into crypto costs thirty times what a slice costs. */
function randomHex(length: number): string {
  if (used + length > pool.length) {
    fillPool();
  }
  const digits = pool.slice(used, used + length);
  used += length;
  return digits;
}

function fillPool(): void {
  poolBytes ??= Buffer.alloc(POOL_BYTES);
  pool = process.getBuiltinModule('node:crypto').randomFillSync(poolBytes).toString('hex');
  used = 0;
}
