import { type CutMark, cutMarkOf } from './cut-mark.ts';
import { decodeString, type JsonNode } from './json-node.ts';

/** Longer strings show their beginning, their type and their size. */
export const BIG_STRING = 100_000;

/** Characters of them that are shown. */
export const SHOWN_OF_BIG = 2048;

/** Encoded bytes tell nobody anything, so they are never shown whole above this size. */
const BIG_BASE64 = 4096;

/** A string as it is shown. */
export interface StringValue {
  /** All of it, or its beginning. */
  readonly text: string;
  readonly isWhole: boolean;
  /** About as many characters as it has. */
  readonly length: number;
  readonly isBase64: boolean;
  readonly cut: CutMark | undefined;
}

export function stringValueOf(text: string, { start, end }: JsonNode): StringValue {
  const length = end - start - 2;
  const head = decodeString(text, start, end, SHOWN_OF_BIG);
  const isBase64 = length > BIG_BASE64 && looksLikeBase64(head.text);
  const isBig = length > BIG_STRING || isBase64;
  const shown = isBig ? head : decodeString(text, start, end);
  const cut = isBig ? cutOfBig(text, start, end) : cutMarkOf(shown.text);
  return { ...shown, length, isBase64, cut: cut && { ...cut, kept: isBig ? shown.text : cut.kept } };
}

export function looksLikeBase64(text: string): boolean {
  return /^(?:data:[^,]{1,200};base64,)?[A-Za-z0-9+/_-]{256,}={0,2}$/.test(text.slice(0, 1024).trimEnd());
}

/** Marks stand at the end, and are short. */
const LONGEST_MARK = 100;

/** Only what was cut is decoded as a whole, which is seldom long. */
function cutOfBig(text: string, start: number, end: number): CutMark | undefined {
  const last = lastOf(text, start, end);
  return cutMarkOf(last) && cutMarkOf(last, decodeString(text, start, end).text.length);
}

function lastOf(text: string, start: number, end: number): string {
  const from = Math.max(start, end - LONGEST_MARK);
  return decodeString(`"${text.slice(from + 1, end)}`, 0, end - from).text;
}

const MEDIA: Readonly<Record<string, string>> = {
  iVBOR: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGO: 'image/gif',
  UklGR: 'image/webp or audio/wav',
  JVBER: 'application/pdf',
  SUQz: 'audio/mpeg',
};

/** The type of a long string, as far as its beginning tells. */
export function typeOfString({ text, isBase64 }: Pick<StringValue, 'text' | 'isBase64'>): string {
  if (!isBase64) return 'text';
  const told = /^data:([^;,]+)/.exec(text)?.[1];
  const bytes = text.slice(text.indexOf(',') + 1);
  const known = Object.entries(MEDIA).find(([head]) => bytes.startsWith(head))?.[1];
  return `${told ?? known ?? 'bytes'}, base64`;
}
