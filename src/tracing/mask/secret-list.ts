import { types } from 'node:util';
import type { Mask } from './mask.ts';
import { isPassName, isToldBeside, Siblings } from './secret-sibling.ts';

/** Longer texts are no names. */
const MAX_NAME_LENGTH = 64;

/** `Object.entries` and lists of headers: `['authorization', 'Bearer …']`, `['set-cookie', ['…']]`. */
export function isSecretPair(mask: Mask, pair: readonly unknown[], beside?: Siblings): boolean {
  if (pair.length !== 2) return false;
  const [name, value] = pair;
  return isName(name) && isTextual(value) && mask.hides(name, value, beside);
}

function isTextual(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH;
}

/** Names of the pairs in a list, where this item is one that these may tell about; each reads the list only then. */
export function namesBeside(list: readonly unknown[], item: unknown, limit: number): Siblings | undefined {
  if (!isPair(item) || !isToldBeside(item[0])) return undefined;
  return new Siblings(
    list.slice(0, limit).flatMap((other) => (isPair(other) ? [other[0]] : [])),
    limit,
  );
}

/** Each read of a Proxy is code of the program, which sees one for each value that is recorded. */
function isPair(item: unknown): item is readonly [string, unknown] {
  return Array.isArray(item) && !types.isProxy(item) && item.length === 2 && isName(item[0]);
}

/** The recorded form of a text behind another one in a list; `undefined` where that says nothing of it. */
export function shownBehind(mask: Mask, name: unknown, value: unknown): string | undefined {
  if (typeof value !== 'string' || !isName(name) || value === '') return undefined;
  if (name.startsWith('-')) return value.startsWith('-') ? undefined : shownBehindFlag(mask, name, value);
  const isNamed = HEADER.test(name) ? NO_NAME.test(value) : GLUED_HEADER.test(name) && NO_WORD.test(value);
  return isNamed && mask.hides(name, value) ? mask.replacement : undefined;
}

/** Headers come as a flat list, though so do their names alone. */
const HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]+)$/i;
const NO_NAME = /[^a-z-]/i;

/** The same for those that names of columns and variables are like. */
const GLUED_HEADER = /^(?:[a-z-]+token|[a-z-]*api-?key)$/i;
const NO_WORD = /[^\w-]|\d/;

/** Arguments of a command come as `['--token', '…']`, `['-u', 'ada:…']`. */
function shownBehindFlag(mask: Mask, flag: string, value: string): string | undefined {
  const name = flag.replace(/^--?/, '');
  if (isPassName(name) ? mask.hides(name, value, LOGIN) : mask.hides(flag, value)) return mask.replacement;
  if (!LOGIN_FLAG.test(flag)) return undefined;
  const masked = mask.text(`${flag} ${value}`);
  return masked.startsWith(`${flag} `) ? masked.slice(flag.length + 1) : undefined;
}

const LOGIN_FLAG = /^(?:-u|--(?:proxy-)?user)$/;

/** A command that asks for a password logs in. */
const LOGIN = new Siblings(['login'], 1);

/** Settings and headers also come as `{ name: 'authorization', value: '…' }`. */
export function isNamedValue(key: string): boolean {
  return key === 'value' || key === 'Value' || key === 'ParameterValue';
}

/** The members that such a value may be named by. */
export const NAMING_MEMBERS = ['name', 'key', 'Name', 'Key', 'header', 'field', 'ParameterKey'] as const;
