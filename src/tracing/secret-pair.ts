import type { MemberRules } from './secret-member.ts';

/**
 * What stands behind the name of a member that names another one: `key="DbPassword" value="`, `name: DB_PASSWORD` and
 * in the next line `value: `, `name="password">`. Everything has a bound, as this is tried again and again.
 */
const NAMED = new RegExp(
  String.raw`[:=]\s{0,3}\\{0,7}["']?[\w.:$-]{1,64}` +
    String.raw`(?:\\{0,7}["']?(?:[\s,]|\\[nr]){1,24}\\{0,7}["']?(?:value|content)\\{0,7}["']?\s{0,3}[:=]\s{0,3}|\\{0,7}["']\s{0,3}>)`,
  'iy',
);

const NAMING = new Set(['key', 'name', 'Key', 'Name', 'KEY', 'NAME']);

/** The other way round: `="…" key="DbPassword"`. */
const VALUE_FIRST = new RegExp(
  String.raw`=\s{0,3}\\{0,7}(["'])([^"'\\<>\n]{1,256})\\{0,7}\1\s{1,24}(?:key|name)\s{0,3}=\s{0,3}\\{0,7}["']([\w.:$-]{1,64})`,
  'iy',
);

/** Where the value begins that the member at this separator names as a secret; `undefined` when it names none. */
export function startOfNamed(text: string, at: number, key: string, rules: MemberRules): number | undefined {
  if (!NAMING.has(key)) return undefined;
  const name = nameGoingOn(text, at + 1);
  if (name === undefined || !rules.isSecretKey(name)) return undefined;
  NAMED.lastIndex = at;
  return NAMED.test(text) ? NAMED.lastIndex : undefined;
}

/** The one word that is there, where what begins like `value` or `content` comes behind it, or the end of a tag. */
function nameGoingOn(text: string, at: number): string | undefined {
  const from = skip(text, at, ' "\'\\');
  const end = skip(text, from, ' "\'\\,\n\r\t>=&;', false);
  const next = skip(text, end, ' "\'\\,\n\r\t');
  return end > from && 'vVcC>n'.includes(text.charAt(next)) ? text.slice(from, end) : undefined;
}

/** Goes on as long as there are such letters, or others. */
function skip(text: string, from: number, letters: string, are = true): number {
  let at = from;
  while (at - from < 64 && at < text.length && letters.includes(text.charAt(at)) === are) at += 1;
  return at;
}

/** The value at this separator that is named behind it. */
export function valueNamedBehind(
  text: string,
  at: number,
  key: string,
  rules: MemberRules,
): [number, number] | undefined {
  if (text[at] !== '=' || (key !== 'value' && key !== 'Value')) return undefined;
  VALUE_FIRST.lastIndex = at;
  const [match = '', , value = '', name] = VALUE_FIRST.exec(text) ?? [];
  if (name === undefined || !rules.isSecretKey(name)) return undefined;
  const from = at + match.indexOf(value);
  return [from, from + value.length];
}
