import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { foldPoint, isTokenPoint } from '../../src/storage/values/characters.ts';
import { containsText, containsToken, SHORT_PATTERN } from '../../src/storage/values/text-search.ts';

const LAST_POINT = 0x10ffff;
const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** What the searches mean, by patterns of the language. */
function containsByPattern(text: string, substr: string, isCaseSensitive: boolean): boolean {
  return new RegExp(escape(substr), isCaseSensitive ? 'u' : 'iu').test(text);
}

function containsTokenByPattern(text: string, token: string, isCaseSensitive: boolean): boolean {
  const whole = new RegExp(`^${escape(token)}$`, isCaseSensitive ? 'u' : 'iu');
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].some(([found]) => whole.test(found));
}

/** Of several cases, widths and kinds. */
const ALPHABETS = [
  'ab',
  'aA.',
  'kK\u212a',
  'sSſß',
  'ıiIİ',
  'σςΣ ',
  '𐐀𐐨-',
  'éÉ1',
  'ꭰᎠ',
  '日本 ',
  '𠀀𠀁,',
  'µμΜ',
  '^$.*a',
];

const texts = fc.constantFrom(...ALPHABETS).chain((alphabet) => {
  const text = fc.array(fc.constantFrom(...alphabet), { maxLength: 150 }).map((parts) => parts.join(''));
  const units = fc.nat({ max: 100 });
  const part = fc.tuple(text, units, units).map(([from, start, length]) => {
    return [...from].slice(start, start + length).join('');
  });
  const partOf = fc
    .tuple(text, text, part)
    .map(([before, behind, middle]) => [before + middle + behind, middle] as const);
  return fc.oneof(partOf, fc.tuple(text, part));
});

test('texts are found as patterns find them', () => {
  fc.assert(
    fc.property(texts, fc.boolean(), ([text, substr], isCaseSensitive) => {
      expect(containsText(text, substr, { isCaseSensitive })).toBe(containsByPattern(text, substr, isCaseSensitive));
    }),
    { numRuns: 3000 },
  );
});

test('tokens are found as patterns find them', () => {
  const tokens = texts.map(([text, substr]) => [text, /[\p{L}\p{N}]+/u.exec(substr)?.[0] ?? '1'] as const);
  fc.assert(
    fc.property(tokens, fc.boolean(), ([text, token], isCaseSensitive) => {
      const expected = containsTokenByPattern(text, token, isCaseSensitive);
      expect(containsToken(text, token, { isCaseSensitive })).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});

test.each([5, 16, 17, SHORT_PATTERN, SHORT_PATTERN + 1, 200])(
  '%i characters are found wherever they stand in a long text',
  (length) => {
    const part = `É${'x'.repeat(length - 2)}y`;
    for (let before = 65_536 - length - 2; before < 65_540; before += length < 40 ? 1 : 7) {
      const text = `${'x'.repeat(before - 1)} ${part} ${'x'.repeat(100_000)}`;
      for (const isCaseSensitive of [true, false]) {
        expect(containsText(text, part, { isCaseSensitive })).toBe(true);
        expect(containsToken(text, part, { isCaseSensitive })).toBe(true);
        expect(containsText(text, part.toLowerCase(), { isCaseSensitive })).toBe(!isCaseSensitive);
        expect(containsToken(text, part.slice(0, -1), { isCaseSensitive })).toBe(false);
      }
    }
  },
);

test('characters are the same without case for which a pattern takes them', () => {
  let cased = 0;
  const withoutCase: string[] = [];
  for (let point = 0; point <= LAST_POINT; point++) {
    const character = String.fromCodePoint(point);
    const others = [character.toLowerCase(), character.toUpperCase(), character.toUpperCase().toLowerCase()];
    for (const other of new Set(others)) {
      if (other === character || [...other].length > 1) continue;
      cased += 1;
      const isSame = foldPoint(point) === foldPoint(other.codePointAt(0) ?? 0);
      expect([character, other, isSame]).toEqual([character, other, containsByPattern(character, other, false)]);
    }
    if (others.every((other) => other === character) && foldPoint(point) !== point) withoutCase.push(character);
  }
  expect(withoutCase).toEqual([]);
  expect(cased).toBeGreaterThan(2000);
});

test('letters and digits are those of Unicode', () => {
  const points = Array.from({ length: LAST_POINT + 1 }, (_, point) => point);
  expect(points.filter((point) => isTokenPoint(point) !== /[\p{L}\p{N}]/u.test(String.fromCodePoint(point)))).toEqual(
    [],
  );
});

/** How many patterns are made while something is done. */
function patternsMade(work: () => void): number {
  const { RegExp: Pattern } = globalThis;
  let made = 0;
  globalThis.RegExp = class extends Pattern {
    constructor(source: string | RegExp, flags?: string) {
      super(source, flags);
      made += 1;
    }
  } as RegExpConstructor;
  const restore = () => void (globalThis.RegExp = Pattern);
  onTestFinished(restore);
  work();
  restore();
  return made;
}

test('a text of ten thousand different characters is not searched by as many patterns', () => {
  const characters = Array.from({ length: 10_100 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const text = characters.join('').repeat(3);
  const substr = `${text.slice(0, SHORT_PATTERN)}!`;
  const search = { isCaseSensitive: false };
  expect(patternsMade(() => expect(containsText(text, substr, search)).toBe(false))).toBeLessThan(10);
});

test('characters of all cases are looked up by patterns only once', () => {
  const cased = /[\p{Lu}\p{Ll}]/gu;
  const everything = Array.from({ length: 0x1ffff }, (_, point) => String.fromCodePoint(point)).join('');
  const text = (everything.match(cased) ?? []).join('');
  const search = { isCaseSensitive: false };
  const find = () => expect(containsText(text, `${text.slice(0, 60)}!`, search)).toBe(false);
  find();
  expect(patternsMade(find)).toBe(0);
});

test.each([
  ['short', 'a'.repeat(8)],
  ['long', 'a'.repeat(100)],
])('a search for a %s text asks again and again whether it is still wanted', (_name, part) => {
  const text = `${'a'.repeat(1_000_000)} `;
  for (const isCaseSensitive of [true, false]) {
    for (const find of [
      (check: () => void) => containsText(text, `${part}b`, { isCaseSensitive, check }),
      (check: () => void) => containsToken(text, part, { isCaseSensitive, check }),
    ]) {
      let checks = 0;
      expect(find(() => void (checks += 1))).toBe(false);
      expect(checks).toBeGreaterThan(10);
      const stop = () => {
        throw new Error('no longer wanted');
      };
      expect(() => find(stop)).toThrow('no longer wanted');
    }
  }
});
