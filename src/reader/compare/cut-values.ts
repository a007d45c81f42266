import { cutMarkIn } from '../../protocol/values/cut-mark.ts';
import { isPlainObject } from './compared-text.ts';
import { storedFilesIn } from './stored-file.ts';

/** Was a part of a value left out when it was recorded? Whether that part is the same on both sides, nobody can say. */
export function hasCut(value: unknown): boolean {
  if (typeof value === 'string') return isCutText(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasCut);
  if (!isPlainObject(value)) return false;
  const files = storedFilesIn(value);
  // All of it is in the file; what else the marker shows may be its beginning.
  if (files !== undefined) return files.length === 0;
  return Object.entries(value).some(([key, member]) => key === CUT_KEYS || hasCut(member));
}

/** The member that says how many others were not recorded. */
const CUT_KEYS = '_cut';

/** In the place of bytes that are too few, or too many, for a file of their own. */
const BYTES = /^\[[\w$]{1,100}: \d+ bytes\]$/;

function isCutText(text: string): boolean {
  const mark = cutMarkIn(text);
  return mark === undefined ? text.endsWith(' bytes]') && BYTES.test(text) : mark.kind !== 'circular';
}

/**
 * Are two texts, one of which was cut, or both, alike as far as they were kept? How much was kept depends on what stood
 * before them; both must have been equally long.
 */
export function isAlikeAsKept(a: string, b: string): boolean {
  const [one, other] = [keptOf(a), keptOf(b)];
  if (!(one.isCut || other.isCut) || one.length !== other.length) return false;
  const shared = Math.min(one.text.length, other.text.length);
  return one.text.slice(0, shared) === other.text.slice(0, shared);
}

interface Kept {
  readonly text: string;
  /** Of the original. */
  readonly length: number;
  readonly isCut: boolean;
}

function keptOf(text: string): Kept {
  const mark = cutMarkIn(text);
  if (mark?.kind !== 'text') return { text, length: text.length, isCut: false };
  return { text: text.slice(0, mark.kept), length: Number(mark.counts[0]), isCut: true };
}
