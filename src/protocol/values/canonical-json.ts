/** Any JSON value; numbers whose token a double cannot keep are `NumberToken`s. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | NumberToken
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

let stringifiedTokens = 0;

/**
 * A number as it was written, in canonical form, where a plain JavaScript number would lose its class or
 * digits: `1.0`, `1e+16`, `12345678901234567890`.
 */
export class NumberToken {
  readonly text: string;

  constructor(canonicalText: string) {
    this.text = canonicalText;
  }

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }

  valueOf(): number {
    return Number(this.text);
  }

  /** `JSON.stringify` cannot write a raw number on Node 20; `stringifyJson` counts these and starts over. */
  toJSON(): number {
    stringifiedTokens += 1;
    return Number(this.text);
  }

  static get stringifiedCount(): number {
    return stringifiedTokens;
  }
}

/** Canonical text of a number token, or `undefined` when it overflows a double. */
export function canonicalNumber(token: string): string | undefined {
  if (/^-?\d+$/.test(token)) return canonicalInteger(token);
  const value = Number(token);
  return Number.isFinite(value) ? canonicalFloat(value) : undefined;
}

/** Without leading zeros. No BigInt: one of a million digits would take a second to read and write. */
function canonicalInteger(token: string): string {
  const digits = token.replace(/^-?0*(?=\d)/, '');
  return token.startsWith('-') && digits !== '0' ? `-${digits}` : digits;
}

/** Shortest digits that read back as the same double; always with a fraction or an exponent. */
export function canonicalFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const sign = value < 0 ? '-' : '';
  const [mantissa = '', exponentText] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) return sign + withExponent(digits, exponent);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return `${sign}${digits}${'0'.repeat(exponent + 1 - digits.length)}.0`;
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/**
 * The text that digests are made of: ASCII, members sorted by code point, `, ` and `: ` between.
 * A plain number has the class of the token `JSON.stringify` prints for it.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value === 'number') return canonicalPlainNumber(value);
  if (value instanceof NumberToken) return value.text;
  if (isArray(value)) return `[${joined(value, canonicalJson)}]`;
  const keys = Object.keys(value).sort(compareCodePoints);
  return `{${joined(keys, (key) => `${canonicalString(key)}: ${canonicalJson(value[key] ?? null)}`)}}`;
}

/** So many items are written at once. */
const FEW_ITEMS = 16;
/** No more are kept one by one: each takes more memory than its characters do, and what lies deep many times as much. */
const PIECE_ITEMS = 1000;
const PIECE_CHARACTERS = 16 * 1024;

function joined<Item>(items: readonly Item[], textOf: (item: Item) => string): string {
  if (items.length <= FEW_ITEMS) return items.map(textOf).join(', ');
  const pieces: string[] = [];
  let texts: string[] = [];
  let characters = 0;
  for (const item of items) {
    const text = textOf(item);
    characters += text.length;
    if (texts.push(text) < PIECE_ITEMS && characters < PIECE_CHARACTERS) continue;
    pieces.push(texts.join(', '));
    texts = [];
    characters = 0;
  }
  if (texts.length > 0) pieces.push(texts.join(', '));
  return pieces.join(', ');
}

/** How long that text is, without making it: one of megabytes is made of as many pieces as the value has. */
export function canonicalLength(value: JsonValue): number {
  if (typeof value === 'string') return canonicalStringLength(value);
  if (typeof value !== 'object' || value === null || value instanceof NumberToken) return canonicalJson(value).length;
  let length = 0;
  let count = 0;
  if (isArray(value)) {
    for (const item of value) length += canonicalLength(item);
    count = value.length;
  } else {
    for (const key of Object.keys(value)) {
      length += canonicalStringLength(key) + 2 + canonicalLength(value[key] ?? null);
      count += 1;
    }
  }
  // Brackets, and `, ` between members.
  return length + 2 * Math.max(count, 1);
}

/** Order of two strings by code point, where `<` would order by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for characters above U+FFFF, so they rank above every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

function canonicalPlainNumber(value: number): string {
  const token = JSON.stringify(value);
  if (token === 'null') throw new RangeError(`Cannot write ${value} as JSON`);
  return canonicalNumber(token) ?? token;
}

function withExponent(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
}

function canonicalString(text: string): string {
  // JSON.stringify escapes quotes, backslashes and control characters as we need them; the rest is ours.
  const quoted = JSON.stringify(text);
  if (quoted.length <= PIECE_UNITS) return escaped(quoted);
  const pieces: string[] = [];
  for (let start = 0; start < quoted.length; start += PIECE_UNITS) {
    pieces.push(escaped(quoted.slice(start, start + PIECE_UNITS)));
  }
  return pieces.join('');
}

/** Texts are escaped piece by piece, in memory of this size for all of them. */
const PIECE_UNITS = 1024;
const ESCAPE_UNITS = 6;
const piece = new Uint8Array(PIECE_UNITS * ESCAPE_UNITS);
const decoder = new TextDecoder();

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const HEX_DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Unit by unit: replacing what a pattern finds takes eight times as long for a text of wide characters. */
function escaped(text: string): string {
  if (!/[\u007f-\uffff]/.test(text)) return text;
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x7f) {
      piece[length++] = unit;
      continue;
    }
    piece[length++] = BACKSLASH;
    piece[length++] = LETTER_U;
    for (let shift = 12; shift >= 0; shift -= 4) piece[length++] = HEX_DIGITS[(unit >> shift) & 0xf] ?? 0;
  }
  return decoder.decode(piece.subarray(0, length));
}

function canonicalStringLength(text: string): number {
  let length = 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x7f) length += 6;
    else if (unit < 0x20) length += SHORT_ESCAPES.includes(unit) ? 2 : 6;
    else length += unit === 0x22 || unit === 0x5c ? 2 : 1;
  }
  return length;
}

/** `\b`, `\t`, `\n`, `\f`, `\r`. */
const SHORT_ESCAPES: readonly number[] = [0x08, 0x09, 0x0a, 0x0c, 0x0d];

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
