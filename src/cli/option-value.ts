import { isObject } from '../protocol/values/parsed-object.ts';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { DefaultPrice } from '../protocol/cost.ts';
import { DEFAULT_LIMITS, type Limits } from '../protocol/limits.ts';
import type { RetentionRule } from '../storage/contract/retention.ts';

/** Readers of option values: of the text of a flag or variable, or of a value of the configuration file. */

export function readText(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidArgumentError('It is not a text.');
}

/** An absolute path; a relative one starts at the folder. */
export function readPath(value: unknown, folder: string): string {
  if (typeof value === 'string' && value !== '') return resolve(folder, value);
  throw new InvalidArgumentError('It is not a path.');
}

/** Absolute paths; relative ones start at the folder. */
export function readPaths(value: unknown, folder: string): string[] {
  return readList(value).map((path) => resolve(folder, path));
}

export function readPort(value: unknown): number {
  const port = toWhole(value);
  if (port === undefined || port > 65_535) throw new InvalidArgumentError('It is not a port, 0 to 65535.');
  return port;
}

export function readPositive(value: unknown): number {
  const count = toWhole(value);
  if (count === undefined || count === 0) throw new InvalidArgumentError('It is not a whole number above 0.');
  return count;
}

/** A number above 0, which may have a fraction. */
export function readRate(value: unknown): number {
  const rate = typeof value === 'string' && /^[\d.]+$/.test(value) ? Number(value) : value;
  if (typeof rate === 'number' && rate > 0 && Number.isFinite(rate)) return rate;
  throw new InvalidArgumentError('It is not a number above 0.');
}

/** Days that are kept, or `all`. */
export function readDays(value: unknown): number | 'all' {
  return value === 'all' ? value : readRate(value);
}

/** Bytes that are kept, or `all`. */
export function readBytes(value: unknown): number | 'all' {
  return value === 'all' ? value : readPositive(value);
}

const SWITCH_VALUES: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

export function readSwitch(value: unknown): boolean {
  const isOn = typeof value === 'boolean' ? value : SWITCH_VALUES[String(value).toLowerCase()];
  if (isOn === undefined) throw new InvalidArgumentError('It is neither true nor false.');
  return isOn;
}

export function readChoice<Choice extends string>(choices: readonly Choice[]): (value: unknown) => Choice {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return choice;
  };
}

/** A list of texts, or one text with commas between them. */
export function readList(value: unknown): string[] {
  const entries: unknown[] = typeof value === 'string' ? value.split(',').map((part) => part.trim()) : toArray(value);
  return entries.map((entry) => {
    if (typeof entry === 'string' && entry !== '') return entry;
    throw new InvalidArgumentError('An entry of the list is not a text, or empty.');
  });
}

/** The file of a price list, the list itself, which the service checks, or `none`. */
export function readPrices(value: unknown, folder: string): string | readonly DefaultPrice[] {
  if (value === 'none') return value;
  // The service refuses entries that are no prices, and says which.
  return Array.isArray(value) ? (value as readonly DefaultPrice[]) : readPath(value, folder);
}

/** Limits by their keys: an object, or `key=number` with commas between them. */
export function readLimits(value: unknown): Partial<Limits> {
  const pairs = typeof value === 'string' ? readList(value).map(toPair) : Object.entries(toObject(value));
  return Object.fromEntries(pairs.map(([key, limit]) => [checkLimitKey(key), readLimit(key, limit)]));
}

/** Rules by projects: an object of `{ days, bytes }`, or `project=days` with commas between them, where `all` keeps all. */
export function readRetention(value: unknown): Readonly<Record<string, RetentionRule>> {
  const pairs = typeof value === 'string' ? readList(value).map(toPair) : Object.entries(toObject(value));
  return Object.fromEntries(pairs.map(([project, rule]) => [checkProjectName(project), toRule(project, rule)]));
}

function checkProjectName(project: string): string {
  if (/^[^/]+\/[^/]+$/.test(project)) return project;
  throw new InvalidArgumentError(`"${project}" is not of the form entity/project.`);
}

function toRule(project: string, value: unknown): RetentionRule {
  if (value === 'all') return {};
  const fields: Readonly<Record<string, unknown>> =
    typeof value === 'string' ? { days: value } : { ...toObject(value) };
  const { days, bytes, ...rest } = fields;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no "${unknown}" in the rule of "${project}".`);
  return {
    ...(days !== undefined && { days: readRate(days) }),
    ...(bytes !== undefined && { bytes: readPositive(bytes) }),
  };
}

function toPair(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 0) throw new InvalidArgumentError(`"${text}" is not of the form key=number.`);
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

function checkLimitKey(key: string): string {
  if (Object.hasOwn(DEFAULT_LIMITS, key)) return key;
  throw new InvalidArgumentError(`There is no limit "${key}".`);
}

function readLimit(key: string, value: unknown): number {
  const limit = toWhole(value);
  if (limit === undefined || limit === 0) {
    throw new InvalidArgumentError(`The limit "${key}" is not a whole number above 0.`);
  }
  return limit;
}

function toObject(value: unknown): object {
  if (isObject(value)) return value;
  throw new InvalidArgumentError('It is not an object.');
}

function toArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new InvalidArgumentError('It is not a list.');
}

/** A number from 0 on without a fraction, also when it is written as text. */
function toWhole(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
