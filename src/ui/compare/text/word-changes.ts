import { commonSubsequence } from '../../../reader/compare/common-subsequence.ts';

/** A part of a line. */
export interface Piece {
  readonly text: string;
  /** The other line does not have it. */
  readonly isChanged: boolean;
}

/** Of longer lines the words are not looked for: they differ as a whole. */
const MAX_CHARACTERS = 10_000;

/** A word with what stands before it; signs of writing without blanks are words of their own. */
const WORD = /\s*(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+|[^\s])|\s+$/gu;

/** Two lines in pieces: the words that differ, and those between them. */
export function commonWords(a: string, b: string): { readonly a: readonly Piece[]; readonly b: readonly Piece[] } {
  if (Math.max(a.length, b.length) > MAX_CHARACTERS) {
    return { a: [{ text: a, isChanged: true }], b: [{ text: b, isChanged: true }] };
  }
  const [before, after] = [wordsOf(a), wordsOf(b)];
  const numbers = new Map<string, number>();
  const numberOf = (word: string): number => {
    const known = numbers.get(word) ?? numbers.size;
    numbers.set(word, known);
    return known;
  };
  const common = commonSubsequence(before.map(numberOf), after.map(numberOf));
  return { a: piecesOf(before, new Set(common.a)), b: piecesOf(after, new Set(common.b)) };
}

function wordsOf(line: string): readonly string[] {
  return line.match(WORD) ?? [];
}

function piecesOf(words: readonly string[], common: ReadonlySet<number>): readonly Piece[] {
  const pieces: { text: string; isChanged: boolean }[] = [];
  for (const [index, word] of words.entries()) {
    const isChanged = !common.has(index);
    const last = pieces.at(-1);
    if (last?.isChanged === isChanged) last.text += word;
    else pieces.push({ text: word, isChanged });
  }
  return pieces.flatMap(withBlankOutside);
}

/** Marks begin with a word, not with the blank before it. */
function withBlankOutside({ text, isChanged }: Piece): readonly Piece[] {
  const word = text.trimStart();
  if (!isChanged || word === text || word === '') return [{ text, isChanged }];
  return [
    { text: text.slice(0, text.length - word.length), isChanged: false },
    { text: word, isChanged },
  ];
}
