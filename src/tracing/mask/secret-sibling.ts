import { wordsOf } from './secret-key.ts';

/** `pass` and `pw` are mostly rounds and widths; beside one of these they are passwords. */
const LOGIN_WORDS = new Set(
  'host hostname server user username uid login account email mail smtp database db port url uri ip'.split(' '),
);

/** The members of a JSON Web Key that are not public: its kind is beside them. */
const KEY_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);

const LONGEST = 4;

/** Is this the name of a password where a login is beside it? */
export function isPassName(key: string): boolean {
  if (key.length > LONGEST) return false;
  const name = key.toLowerCase();
  return name === 'pass' || name === 'pw';
}

/** Is this the name of what is not public in a JSON Web Key? */
export function isKeyMember(key: string): boolean {
  return KEY_MEMBERS.has(key);
}

/** May the names beside it tell that a member is a secret? */
export function isToldBeside(key: string): boolean {
  return key.length <= LONGEST && (KEY_MEMBERS.has(key) || isPassName(key));
}

/** Names of members that stand beside each other. Each question goes through them once, however often it is asked. */
export class Siblings {
  readonly #names: readonly string[];
  #hasLogin: boolean | undefined;
  #hasKind: boolean | undefined;

  /** Of a large object only the first `limit` are kept, so that no more are looked at. */
  constructor(names: readonly string[], limit: number) {
    this.#names = names.length > limit ? names.slice(0, limit) : names;
  }

  /** Do they tell that the member with this name is a secret? */
  tellOf(key: string): boolean {
    if (!isToldBeside(key)) return false;
    if (KEY_MEMBERS.has(key)) return (this.#hasKind ??= this.#names.includes('kty'));
    return (this.#hasLogin ??= this.#names.some(isLoginName));
  }
}

function isLoginName(name: string): boolean {
  return name.length <= 64 && wordsOf(name).some((word) => LOGIN_WORDS.has(word));
}

/** Names of a login before a separator, the words of camel case included. */
const LOGIN_NAME =
  /(?:(?:host|server|user|login|account|mail|database|db|port)(?:_?name)?|ur[il]|(?<![a-z])(?:ip|uid))\\{0,7}["']?\s{0,3}[:=]/gi;

/** A text may be cut before it says its kind: the exponent of nearly every key of RSA tells, too. */
const KEY_KIND = /(?:kty\\{0,7}["']?\s{0,3}:|\\{0,7}["']AQAB\\{0,7}["'])/g;

/** A key of RSA with 8192 bits has as many characters between its kind and what is farthest from that. */
const KEY_REACH = 8192;

const LOGIN_REACH = 256;

/** The names in a text beside a place. Each kind of name is looked for once, when it is first asked for. */
export class Neighbours {
  readonly #text: string;
  #hasKind: boolean | undefined;
  #logins: readonly number[] | undefined;
  #kinds: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Is it worth a look? Most texts know nothing of keys. */
  get mayHoldKey(): boolean {
    return (this.#hasKind ??= this.#text.includes('kty') || this.#text.includes('AQAB'));
  }

  /** Is a login near? */
  tellOfLogin(at: number): boolean {
    return isNear((this.#logins ??= this.#places(LOGIN_NAME)), at, LOGIN_REACH);
  }

  /** Is the kind of a key near? */
  tellOfKey(at: number): boolean {
    return isNear((this.#kinds ??= this.#places(KEY_KIND)), at, KEY_REACH);
  }

  #places(name: RegExp): readonly number[] {
    return Array.from(this.#text.matchAll(name), ({ index }) => index);
  }
}

function isNear(places: readonly number[], at: number, reach: number): boolean {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < at - reach) low = middle + 1;
    else high = middle;
  }
  return (places[low] ?? Infinity) <= at + reach;
}
