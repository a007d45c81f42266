import { canonicalJson, compareCodePoints, type JsonValue, NumberToken } from './canonical-json.ts';

/** Texts of values that are given together, and parts of a long text. */
const PIECE_TEXTS = 1000;
const PIECE_CHARACTERS = 16 * 1024;

/**
 * Gives the text that `canonicalJson` makes piece by piece: of a value of megabytes the whole text is never a string, nor
 * is anything that it would be put together of.
 */
export function eachCanonicalPiece(value: JsonValue, take: (piece: string) => void): void {
  const pieces = new Pieces(take);
  put(value, pieces);
  pieces.give();
}

class Pieces {
  readonly #take: (piece: string) => void;
  #texts: string[] = [];
  #characters = 0;

  constructor(take: (piece: string) => void) {
    this.#take = take;
  }

  add(text: string): void {
    this.#characters += text.length;
    if (this.#texts.push(text) >= PIECE_TEXTS || this.#characters >= PIECE_CHARACTERS) this.give();
  }

  give(): void {
    this.#take(this.#texts.join(''));
    this.#texts = [];
    this.#characters = 0;
  }
}

function put(value: JsonValue, pieces: Pieces): void {
  if (typeof value === 'string') putText(value, pieces);
  else if (typeof value !== 'object' || value === null || value instanceof NumberToken)
    pieces.add(canonicalJson(value));
  else if (isList(value)) putItems(value, pieces);
  else putMembers(value, pieces);
}

/** A pair of surrogates is escaped unit by unit: it may be cut. */
function putText(text: string, pieces: Pieces): void {
  if (text.length <= PIECE_CHARACTERS) return pieces.add(canonicalJson(text));
  pieces.add('"');
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS) {
    pieces.add(canonicalJson(text.slice(start, start + PIECE_CHARACTERS)).slice(1, -1));
  }
  pieces.add('"');
}

function putItems(items: readonly JsonValue[], pieces: Pieces): void {
  pieces.add('[');
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.add(', ');
    put(item, pieces);
  }
  pieces.add(']');
}

function putMembers(holder: { readonly [key: string]: JsonValue }, pieces: Pieces): void {
  pieces.add('{');
  for (const [index, key] of Object.keys(holder).sort(compareCodePoints).entries()) {
    if (index > 0) pieces.add(', ');
    putText(key, pieces);
    pieces.add(': ');
    put(holder[key] ?? null, pieces);
  }
  pieces.add('}');
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
