import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { TracingError } from '../../../protocol/error.ts';
import { putMember, withMarked } from '../../../protocol/values/json.ts';
import { endOfString } from './body-depth.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

/** Objects of more members are parsed in portions. */
export const WIDE_MEMBERS = 20_000;

/** Members of a portion. Of fewer the parser would make records, and a description of each. */
const PORTION_MEMBERS = 2000;

interface WideObject {
  /** Of its braces. */
  readonly start: number;
  readonly end: number;
  /** Commas between portions. */
  readonly cuts: readonly number[];
}

/**
 * Parses a JSON text whose largest objects have very many members, which the parser keeps all at once, with a hundred bytes for
 * each, before it makes an object of them.
 */
export function parseWide(body: Buffer, parse: (text: string) => JsonValue): JsonValue {
  const wide = findWide(body);
  if (wide.length === 0) return parse(body.toString('utf8'));
  if (wide.some(({ end }) => isKey(body, end))) throw notJson();
  const made = wide.map((object) => objectOf(body, object, parse));
  const mark = randomUUID();
  const rest = parse(textAround(body, wide, mark));
  return withMarked(rest, mark, (index) => made[Number(index)] ?? null);
}

/** The outermost objects with very many members. What is found says nothing of whether the text is JSON. */
function findWide(body: Buffer): readonly WideObject[] {
  const found: WideObject[] = [];
  const open = new OpenValues();
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) index = endOfString(body, index);
    else if (byte === COMMA) open.comma(index);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open.begin(index);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      const { start, cuts, commas } = open.end();
      if (byte === CLOSE_ARRAY || body[start] !== OPEN_OBJECT || commas < WIDE_MEMBERS) continue;
      while ((found.at(-1)?.start ?? -1) > start) found.pop();
      found.push({ start, end: index + 1, cuts });
    }
  }
  return found;
}

/** The arrays and objects that are open, with nothing made for each: there may be millions. */
class OpenValues {
  readonly #starts: number[] = [];
  readonly #commas: number[] = [];
  readonly #cuts: number[][] = [];
  #depth = -1;

  begin(index: number): void {
    this.#depth += 1;
    this.#starts[this.#depth] = index;
    this.#commas[this.#depth] = 0;
    this.#cuts[this.#depth] = NO_CUTS;
  }

  comma(index: number): void {
    const commas = (this.#commas[this.#depth] ?? 0) + 1;
    this.#commas[this.#depth] = commas;
    if (commas % PORTION_MEMBERS !== 0) return;
    if (commas === PORTION_MEMBERS) this.#cuts[this.#depth] = [];
    this.#cuts[this.#depth]?.push(index);
  }

  /** Text that is no JSON may end what never began. */
  end(): { readonly start: number; readonly commas: number; readonly cuts: readonly number[] } {
    const depth = this.#depth--;
    return { start: this.#starts[depth] ?? -1, commas: this.#commas[depth] ?? 0, cuts: this.#cuts[depth] ?? NO_CUTS };
  }
}

const NO_CUTS: number[] = [];

function objectOf(body: Buffer, { start, end, cuts }: WideObject, parse: (text: string) => JsonValue): JsonValue {
  const object: Record<string, JsonValue> = {};
  let from = start + 1;
  for (const to of [...cuts, end - 1]) {
    const text = Buffer.concat([OPEN, body.subarray(from, to), CLOSE]);
    // A comma with nothing behind it is no JSON, and an empty object is.
    if (isBlank(text)) throw notJson();
    const members = parseWide(text, parse) as Readonly<Record<string, JsonValue>>;
    for (const key of Object.keys(members)) putMember(object, key, members[key] ?? null);
    from = to + 1;
  }
  return object;
}

/** The mark in the place of an object is a text, which may be a key; an object may not. */
function isKey(body: Buffer, end: number): boolean {
  let next = end;
  while (BLANKS.includes(body[next] ?? 0)) next++;
  return body[next] === COLON;
}

function notJson(): TracingError {
  return new TracingError('invalid_json', 'Cannot read the body: it is not JSON');
}

const OPEN = Buffer.from('{');
const CLOSE = Buffer.from('}');

function isBlank(text: Buffer): boolean {
  return text.subarray(1, -1).every((byte) => BLANKS.includes(byte));
}

const BLANKS: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

/** The text with a mark and a number in the place of each of these objects. */
function textAround(body: Buffer, wide: readonly WideObject[], mark: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const [index, { start, end }] of wide.entries()) {
    pieces.push(body.toString('utf8', from, start), `"${mark}${index}"`);
    from = end;
  }
  return pieces.join('') + body.toString('utf8', from);
}
