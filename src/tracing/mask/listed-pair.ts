import { KEY_KINDS } from './key-kind.ts';
import { endOfQuoted, until, type Value } from './quoted-value.ts';
import type { MemberRules } from './secret-member.ts';

/** Also as it stands within JSON, however deep. */
const SPACE = String.raw`(?:\s|\\{1,7}[nrt])`;

/**
 * A pair in a list of pairs, up to its value: `[["token","`. Names alone stand in lists, too, but those are not the first
 * in a list of lists, nor behind another one. Everything has a bound, as this is tried again and again.
 */
const PAIR = new RegExp(
  String.raw`\[(?<=(?:\[|\]${SPACE}{0,3},)${SPACE}{0,64}\[)${SPACE}{0,64}(?<quote>\\{0,7}["'\x60])(?<name>[\w.:$ -]{1,64})\k<quote>` +
    String.raw`${SPACE}{0,3},${SPACE}{0,64}(?=\k<quote>|\[)`,
  'y',
);

const END = new RegExp(String.raw`${SPACE}{0,64}\]`, 'y');

/** The value of a secret whose name is the first of two in this list. */
export function valueOfPair(text: string, at: number, rules: MemberRules): Value | undefined {
  PAIR.lastIndex = at;
  const { quote = '', name = '' } = PAIR.exec(text)?.groups ?? {};
  if (name === '' || rules.kinds.at(name, 0, name.length) !== KEY_KINDS.secret) return undefined;
  const value = valueAt(text, PAIR.lastIndex, quote);
  END.lastIndex = value.to + (value.quote === undefined ? quote.length : 0);
  const word = text.slice(value.from, value.to);
  // A text may be cut within the value.
  const isPair = value.to >= text.length || END.test(text);
  return word === '' || !isPair || rules.isHarmlessMember(name, word) ? undefined : value;
}

/** A text, or a list of texts, which ends at the next bracket: the next pair, too, begins at one, so that none is read twice. */
function valueAt(text: string, at: number, quote: string): Value {
  if (text[at] === '[') return { from: at, to: until(text, at + 1, /[[\]]/g).to + 1, quote };
  const from = at + quote.length;
  return { from, to: endOfQuoted(text, from, quote) };
}
