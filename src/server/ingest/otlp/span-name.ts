import { createHash } from 'node:crypto';
import type { Limits } from '../../../protocol/limits.ts';
import { isLongerThan } from '../calls/cut-text.ts';

const SEPARATORS = new Set([',', ';', '|', ' ', '/', '?', '.']);

/** Room for the colon and four digits that tell long names with one beginning apart. */
const MARK_CHARACTERS = 5;

/** The name of an op from the name of a span: one that is too long is cut at the end of a word. */
export function opNameOfSpan(name: string, limits: Limits): string {
  if (name === '') return 'unnamed';
  const max = limits.op_name_characters;
  if (!isLongerThan(name, max)) return name;
  const room = max - MARK_CHARACTERS;
  // Code points are at most two units, so the slice holds enough of them.
  const characters = Array.from(name.slice(0, 2 * (room + 1))).slice(0, room + 1);
  const end = characters.findLastIndex((character) => SEPARATORS.has(character));
  const kept = characters.slice(0, end > 0 ? end : room).join('');
  return `${kept}:${createHash('sha256').update(name).digest('hex').slice(0, 4)}`;
}
