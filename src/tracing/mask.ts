import { isSecretKeyName, wordsOf } from './secret-key.ts';
import { isHarmless } from './harmless-text.ts';
import { maskText } from './mask-text.ts';

/**
 * Sees every value that no key rule hid and returns what is recorded in its place; shape rules still apply to that.
 * `path` begins with `inputs`, `output`, `attributes`, `exception`, `display_name` or `code`. When it throws, the
 * value is hidden.
 */
export type MaskFunction = (value: unknown, path: readonly string[]) => unknown;

/** Changes to the built-in rules. */
export interface MaskRules {
  /** More names of secret members: texts match whole words of the key, expressions the key as it is. */
  readonly keys?: readonly (string | RegExp)[];
  /** More shapes of secret texts. */
  readonly shapes?: readonly RegExp[];
  /** Names that are never secret: texts match the whole key in any spelling. */
  readonly allow?: readonly (string | RegExp)[];
  /** Replaces values. */
  readonly value?: MaskFunction;
}

/** `false` records everything as it is. A function is short for `{ value: fn }`. */
export type MaskOption = MaskFunction | MaskRules | false;

/** Compiled rules. */
export interface Mask {
  readonly replacement: string;
  /** Is a text, object or array under this key hidden? */
  isSecretKey(key: string): boolean;
  /** The key as it is recorded: the same, unless it looks like a secret itself. */
  key(key: string): string;
  /** The text with what looks like a secret replaced. Throws nothing. */
  text(text: string): string;
  readonly value: MaskFunction | undefined;
}

export const MASKED = '[masked]';

/** Shorter texts have no room for a secret that a shape could tell. */
const SHORTEST_SHAPE = 10;

const MAX_KEY_LENGTH = 256;

/** Keys are remembered, because programs use the same few again and again; this bounds programs that do not. */
const MAX_REMEMBERED_KEYS = 10_000;

export function compileMask(option: MaskOption | undefined): Mask {
  if (option === false) return NO_MASK;
  const rules = typeof option === 'function' ? { value: option } : (option ?? {});
  const isSecretKey = rememberKeys(keyRule(rules));
  const textRules = { replacement: MASKED, isSecretKey, shapes: (rules.shapes ?? []).map(toGlobal) };
  const hasOwnShapes = textRules.shapes.length > 0;
  const text = (given: string) =>
    !hasOwnShapes && (given.length < SHORTEST_SHAPE || isHarmless(given)) ? given : maskText(given, textRules);
  return {
    replacement: MASKED,
    isSecretKey,
    key: rememberKeys(text),
    text,
    value: rules.value,
  };
}

const NO_MASK: Mask = {
  replacement: MASKED,
  isSecretKey: () => false,
  key: (key) => key,
  text: (text) => text,
  value: undefined,
};

function keyRule(rules: MaskRules): (key: string) => boolean {
  const allowed = (rules.allow ?? []).map((rule) => (typeof rule === 'string' ? wordsOf(rule).join(' ') : rule));
  const added = (rules.keys ?? []).map((rule) => (typeof rule === 'string' ? ` ${wordsOf(rule).join(' ')} ` : rule));
  return (long) => {
    const key = long.slice(0, MAX_KEY_LENGTH);
    const words = wordsOf(key);
    const name = words.join(' ');
    if (allowed.some((rule) => (typeof rule === 'string' ? rule === name : isMatch(rule, key)))) return false;
    if (added.some((rule) => (typeof rule === 'string' ? ` ${name} `.includes(rule) : isMatch(rule, key)))) return true;
    return isSecretKeyName(words);
  };
}

function rememberKeys<Answer>(rule: (key: string) => Answer): (key: string) => Answer {
  let known = new Map<string, Answer>();
  return (key) => {
    // A key may be a megabyte long: then it is neither kept nor split as a whole.
    if (key.length > MAX_KEY_LENGTH) return rule(key);
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    if (known.size >= MAX_REMEMBERED_KEYS) known = new Map();
    const answer = rule(key);
    known.set(key, answer);
    return answer;
  };
}

/** `search` ignores `lastIndex`, so that an expression with `g` or `y` answers the same every time. */
function isMatch(rule: RegExp, key: string): boolean {
  return key.search(rule) !== -1;
}

function toGlobal(shape: RegExp): RegExp {
  return shape.global ? shape : new RegExp(shape.source, `${shape.flags}g`);
}

const combined = new WeakMap<Mask, { readonly outer: Mask; readonly both: Mask }>();

/** The rules of `inner` on top of those of `outer`: what one of them hides is hidden. `false` inside hides nothing. */
export function combineMasks(outer: Mask, inner: Mask | undefined): Mask {
  if (inner === undefined || inner === NO_MASK) return inner ?? outer;
  const known = combined.get(inner);
  if (known?.outer === outer) return known.both;
  const both: Mask = {
    replacement: inner.replacement,
    isSecretKey: (key) => outer.isSecretKey(key) || inner.isSecretKey(key),
    key: (key) => inner.key(outer.key(key)),
    text: (text) => inner.text(outer.text(text)),
    value: composed(outer.value, inner.value),
  };
  combined.set(inner, { outer, both });
  return both;
}

function composed(outer: MaskFunction | undefined, inner: MaskFunction | undefined): MaskFunction | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return (value, path) => inner(outer(value, path), path);
}
