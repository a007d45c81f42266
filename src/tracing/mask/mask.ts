// docs/decisions/0035-masking-is-our-own.md says why.
import { isSecretKeyName, wordsOf } from './secret-key.ts';
import { isHarmless } from './harmless-text.ts';
import { isHarmlessValue } from './harmless-value.ts';
import { kindOfKey } from './key-kind.ts';
import { KnownKinds } from './known-kinds.ts';
import type { Siblings } from './secret-sibling.ts';
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
  /** Is this member hidden: for its key, unless its value is harmless, or for what is beside it? */
  hides(key: string, value: unknown, beside?: Siblings): boolean;
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
  const names = new KeyNames(rules);
  const isSecretKey = rememberKeys((key) => names.isSecret(key));
  const isHarmlessMember = (key: string, value: string) => isHarmlessValue(key, value) && !names.isAdded(key);
  const textRules = {
    replacement: MASKED,
    kinds: new KnownKinds((key) => kindOfKey(key, names)),
    isHarmlessMember,
    shapes: (rules.shapes ?? []).map(toGlobal),
  };
  const hasOwnShapes = textRules.shapes.length > 0;
  const text = (given: string) =>
    !hasOwnShapes && (given.length < SHORTEST_SHAPE || isHarmless(given)) ? given : maskText(given, textRules);
  return {
    replacement: MASKED,
    isSecretKey,
    hides(key, value, beside) {
      const isNamed = isSecretKey(key) || (beside !== undefined && beside.tellOf(key) && !names.isAllowed(key));
      return isNamed && (typeof value !== 'string' || !isHarmlessMember(key, value));
    },
    key: rememberKeys(text),
    text,
    value: rules.value,
  };
}

const NO_MASK: Mask = {
  replacement: MASKED,
  isSecretKey: () => false,
  hides: () => false,
  key: (key) => key,
  text: (text) => text,
  value: undefined,
};

/** The rules on names of members, the built-in ones and those of the program. */
class KeyNames {
  readonly #allowed: readonly (string | RegExp)[];
  readonly #added: readonly (string | RegExp)[];

  constructor({ allow = [], keys = [] }: MaskRules) {
    this.#allowed = allow.map((rule) => (typeof rule === 'string' ? nameOf(rule) : rule));
    this.#added = keys.map((rule) => (typeof rule === 'string' ? ` ${nameOf(rule)} ` : rule));
  }

  isAllowed(long: string): boolean {
    const key = long.slice(0, MAX_KEY_LENGTH);
    return this.#allowed.some((rule) => (typeof rule === 'string' ? rule === nameOf(key) : isMatch(rule, key)));
  }

  isAdded(long: string): boolean {
    const key = long.slice(0, MAX_KEY_LENGTH);
    const words = ` ${nameOf(key)} `;
    return this.#added.some((rule) => (typeof rule === 'string' ? words.includes(rule) : isMatch(rule, key)));
  }

  isSecret(key: string): boolean {
    if (this.isAllowed(key)) return false;
    return this.isAdded(key) || isSecretKeyName(wordsOf(key.slice(0, MAX_KEY_LENGTH)));
  }
}

function nameOf(key: string): string {
  return wordsOf(key).join(' ');
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
    hides: (key, value, beside) => outer.hides(key, value, beside) || inner.hides(key, value, beside),
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
