// docs/decisions/0013-placeholders-of-prompts.md says why.
/**
 * Opening braces, doubled or of a placeholder or alone, and single closing ones. Behind a colon placeholders of other
 * clients have a format, which is passed over.
 */
const TOKEN = /\{\{|\{([\p{L}_][\p{L}\p{N}_]*)(?::[^{}]*)?\}|[{}]/gu;

export interface FilledTemplate {
  readonly text: string;
  /** Names of placeholders without a value. */
  readonly missing: readonly string[];
}

/**
 * Replaces the placeholders of a template. Doubled braces stand for braces: `{{name}}` becomes `{name}`. They count in
 * pairs, so the braces of JSON stay as they are, also where two of them meet.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, unknown>>): FilledTemplate {
  const missing: string[] = [];
  /** For each brace that is open: is it a doubled one? */
  const open: boolean[] = [];
  let isSecond = false;
  const text = template.replace(TOKEN, (token: string, name: string | undefined, at: number) => {
    if (name !== undefined) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) missing.push(name);
      return toText(value);
    }
    if (token !== '}') {
      open.push(token === '{{');
      return '{';
    }
    if (isSecond) {
      isSecond = false;
      return '';
    }
    isSecond = open.pop() === true && template[at + 1] === '}';
    return '}';
  });
  return { text, missing };
}

/** A value without a text of its own is written as JSON. */
function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { toString } = value as { toString?: unknown };
  const hasText = !Array.isArray(value) && typeof toString === 'function' && toString !== Object.prototype.toString;
  return hasText ? String(toString.call(value)) : JSON.stringify(value);
}

/** Characters that end a name. */
type NoLetter =
  | ' '
  | '\n'
  | '\r'
  | '\t'
  | '"'
  | "'"
  | '`'
  | ','
  | '.'
  | ';'
  | '!'
  | '?'
  | '('
  | ')'
  | '['
  | ']'
  | '{'
  | '<'
  | '>'
  | '/'
  | '\\'
  | '|'
  | '@'
  | '#'
  | '$'
  | '%'
  | '^'
  | '&'
  | '*'
  | '-'
  | '+'
  | '='
  | '~';

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

type NameIn<Inside extends string> = Inside extends `${infer Name}:${string}` ? NameIn<Name> : OnlyName<Inside>;

type OnlyName<Text extends string> = Text extends '' | `${Digit}${string}` | `${string}${NoLetter}${string}`
  ? never
  : Text;

/** The names of the placeholders of a template: `string` when its text is not known to the compiler. */
export type PlaceholdersOf<Template extends string, Found = never> = string extends Template
  ? string
  : Template extends `${string}{${infer Rest}`
    ? Rest extends `{${infer Escaped}`
      ? PlaceholdersOf<Escaped, Found>
      : Rest extends `${infer Inside}}${infer _After}`
        ? PlaceholdersOf<Rest, Found | NameIn<Inside>>
        : PlaceholdersOf<Rest, Found>
    : Found;

/** The arguments of `format`: nothing is needed where there are no placeholders, anything goes where they are unknown. */
export type ValuesFor<Names extends string> = [Names] extends [never]
  ? [values?: Readonly<Record<string, unknown>>]
  : string extends Names
    ? [values?: Readonly<Record<string, unknown>>]
    : [values: { readonly [Name in Names]: unknown }];
