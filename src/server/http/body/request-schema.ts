// docs/decisions/0005-own-walk-over-schemas.md says why.
import type { TSchema } from '@sinclair/typebox';
import { NumberToken } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime, parseDateTime, parseDateTimeOfAnyYear } from '../../../protocol/values/date-time.ts';
import { TracingError, type ValidationDetail } from '../../../protocol/error.ts';
import { checkLength, type ListRule } from './list-limits.ts';
import { isJsonObject } from '../../../protocol/values/json-object.ts';

/** A broken rule; `loc` is relative to the value that was checked. */
type Problem = { readonly loc: (string | number)[]; readonly msg: string; readonly type: string };

/** The object or array a value sits in. */
type Holder = Record<string | number, unknown>;

/**
 * Checks one value, which sits in `holder` under `key`. A whole number that was written as `5.0` is put back there
 * as a plain integer. Nothing is allocated while everything is right.
 */
type Check = (value: unknown, holder: Holder, key: string | number) => Problem[] | undefined;

/** The keywords our TypeBox schemas are made of. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly 'x-any-year'?: boolean;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
}

/** A longer list helps nobody and would let a small request make a large answer: nothing is looked for beyond it. */
export const MAX_DETAILS = 100;

/** A key that nobody expected may have megabytes. */
const MAX_SHOWN_KEY = 200;

/**
 * Makes the check of a request body from its schema: closed objects refuse unknown keys except those that hold null
 * or false, types are not coerced. It throws `too_many_items` for a list that is too long, before it looks at an item,
 * else `validation_error` with the details of the first hundred problems.
 */
export function compileRequest(schema: TSchema, lists?: ListRule): (body: unknown) => void {
  // TypeBox types hide the keywords, which are plain JSON Schema.
  const check = compile(schema as Schema, lists);
  return (body) => {
    const problems = check(body, {}, '');
    if (problems) throw validationError(problems.map(({ loc, ...rest }) => ({ loc: ['body', ...loc], ...rest })));
  };
}

/** The error of a request that breaks its schema, in the vendor's form. */
export function validationError(details: readonly ValidationDetail[]): TracingError {
  const count = Math.min(details.length, MAX_DETAILS);
  const reason = count === 1 ? '1 validation error' : `${count} validation errors`;
  return new TracingError('validation_error', reason, { extra: { detail: details.slice(0, MAX_DETAILS) } });
}

/** Problems beyond a hundred are of no use, and looking for them takes as long as a client wants. */
function isFull(problems: Problem[] | undefined): boolean {
  return problems !== undefined && problems.length >= MAX_DETAILS;
}

function compile(schema: Schema, lists?: ListRule): Check {
  if (schema.anyOf) return compileUnion(schema.anyOf, lists);
  if (schema.const !== undefined) return compileLiterals([schema.const]);
  switch (schema.type) {
    case 'string':
      if (schema.format !== 'date-time') return checkString;
      return schema['x-any-year'] === true ? checkBound : checkDateTime;
    case 'integer':
      return checkInteger;
    case 'number':
      return checkNumber;
    case 'boolean':
      return checkBoolean;
    case 'array':
      return compileArray(compile(schema.items ?? {}), lists);
    case 'object':
      return schema.properties ? compileObject(schema, lists) : compileDictionary(schema, lists);
    case undefined:
      return () => undefined;
    default:
      throw new TypeError(`Cannot check requests against the schema type "${schema.type}"`);
  }
}

function checkString(value: unknown): Problem[] | undefined {
  return typeof value === 'string' ? undefined : problem('string_type', 'Input should be a valid string');
}

function checkDateTime(value: unknown): Problem[] | undefined {
  // Every record has one or two of them: each is read once here.
  if (typeof value === 'string' && parseDateTime(value) !== undefined) return undefined;
  const outOfRange = `Input should be a datetime from ${FIRST_DATE_TIME} to ${LAST_DATE_TIME}`;
  return checkBound(value) ?? problem('datetime_range', outOfRange);
}

function checkBound(value: unknown): Problem[] | undefined {
  if (typeof value !== 'string') return problem('datetime_type', 'Input should be a valid datetime');
  if (parseDateTimeOfAnyYear(value) !== undefined) return undefined;
  return problem('datetime_parsing', 'Input should be a valid datetime: RFC 3339 with date and time');
}

/** The first and the last time that microseconds in a double can tell apart. */
const FIRST_DATE_TIME = formatDateTime(-Number.MAX_SAFE_INTEGER);
const LAST_DATE_TIME = formatDateTime(Number.MAX_SAFE_INTEGER);

function checkBoolean(value: unknown): Problem[] | undefined {
  return typeof value === 'boolean' ? undefined : problem('bool_type', 'Input should be a valid boolean');
}

function checkInteger(value: unknown, holder: Holder, key: string | number): Problem[] | undefined {
  if (typeof value !== 'number' && !(value instanceof NumberToken)) {
    return problem('int_type', 'Input should be a valid integer');
  }
  const number = Number(value);
  if (!Number.isInteger(number)) {
    return problem('int_from_float', 'Input should be a valid integer, got a number with a fractional part');
  }
  if (!Number.isSafeInteger(number)) {
    return problem('int_parsing_size', 'Input should be a valid integer, exceeded maximum size');
  }
  if (typeof value !== 'number') holder[key] = number;
  return undefined;
}

function checkNumber(value: unknown, holder: Holder, key: string | number): Problem[] | undefined {
  if (typeof value !== 'number' && !(value instanceof NumberToken)) {
    return problem('float_type', 'Input should be a valid number');
  }
  const number = Number(value);
  if (!Number.isFinite(number)) return problem('finite_number', 'Input should be a finite number');
  if (typeof value !== 'number') holder[key] = number;
  return undefined;
}

/** An object with any keys; where its members are of one shape, each is checked. */
function compileDictionary({ patternProperties = {} }: Schema, lists?: ListRule): Check {
  const [member] = Object.values(patternProperties);
  if (member?.type === undefined) return checkDictionary;
  const check = compile(member);
  return (value) => {
    if (!isJsonObject(value)) return checkDictionary(value);
    const keys = Object.keys(value);
    checkLength(keys.length, lists);
    let problems: Problem[] | undefined;
    for (const key of keys) {
      if (isFull(problems)) break;
      problems = join(problems, check(value[key], value, key), shownKey(key));
    }
    return problems;
  };
}

function checkDictionary(value: unknown): Problem[] | undefined {
  return isJsonObject(value) ? undefined : problem('dict_type', 'Input should be a valid dictionary');
}

function compileArray(checkItem: Check, lists?: ListRule): Check {
  return (value) => {
    if (!Array.isArray(value)) return problem('list_type', 'Input should be a valid list');
    checkLength(value.length, lists);
    let problems: Problem[] | undefined;
    // An array is a holder with number keys, which its type does not say.
    const items = value as unknown[] & Holder;
    for (let index = 0; index < items.length && !isFull(problems); index++) {
      problems = join(problems, checkItem(items[index], items, index), index);
    }
    return problems;
  };
}

function compileObject(schema: Schema, lists?: ListRule): Check {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    name,
    check: compile(member, lists?.members.get(name)),
    isRequired: required.has(name),
  }));
  const known = schema.additionalProperties === false ? new Set(members.map(({ name }) => name)) : undefined;
  return (value) => {
    if (!isJsonObject(value)) return notAnObject();
    let problems: Problem[] | undefined;
    for (const { name, check, isRequired } of members) {
      const member = value[name];
      if (member !== undefined) problems = join(problems, check(member, value, name), name);
      else if (isRequired) problems = join(problems, problem('missing', 'Field required'), name);
    }
    return known ? join(problems, unknownKeys(value, known)) : problems;
  };
}

/** Newer clients of the vendor send every default, so an unknown key that holds null or false says nothing. */
function unknownKeys(value: Holder, known: ReadonlySet<string>): Problem[] | undefined {
  let problems: Problem[] | undefined;
  for (const key of Object.keys(value)) {
    if (known.has(key) || value[key] === null || value[key] === false) continue;
    problems = join(problems, problem('extra_forbidden', 'Extra inputs are not permitted'), shownKey(key));
    if (isFull(problems)) break;
  }
  return problems;
}

function shownKey(key: string): string {
  return key.length <= MAX_SHOWN_KEY ? key : `${key.slice(0, MAX_SHOWN_KEY)}…`;
}

function compileUnion(options: readonly Schema[], lists?: ListRule): Check {
  const present = options.filter(({ type }) => type !== 'null');
  const check = compilePresent(present, lists);
  return present.length === options.length
    ? check
    : (value, holder, key) => (value === null ? undefined : check(value, holder, key));
}

function compilePresent(options: readonly Schema[], lists?: ListRule): Check {
  const [only] = options;
  if (options.length === 1 && only) return compile(only, lists);
  if (options.every((option) => option.const !== undefined)) {
    return compileLiterals(options.map((option) => option.const));
  }
  return compileTagged(options);
}

function compileLiterals(literals: readonly unknown[]): Check {
  const names = literals.map((literal) => `'${String(literal)}'`).join(' or ');
  return (value) => (literals.includes(value) ? undefined : problem('literal_error', `Input should be ${names}`));
}

/** Objects told apart by the one member that is a literal in each, so that an error names the right field. */
function compileTagged(options: readonly Schema[]): Check {
  const tag = Object.entries(options[0]?.properties ?? {}).find(([, member]) => member.const !== undefined)?.[0];
  if (tag === undefined) throw new TypeError('Cannot check requests against a union without a tag');
  const checks = new Map(options.map((option) => [option.properties?.[tag]?.const, compile(option)]));
  const checkTag = compileLiterals([...checks.keys()]);
  return (value, holder, key) => {
    if (!isJsonObject(value)) return notAnObject();
    if (value[tag] === undefined) return join(undefined, problem('missing', 'Field required'), tag);
    const check = checks.get(value[tag]);
    return check ? check(value, holder, key) : join(undefined, checkTag(value[tag], value, tag), tag);
  };
}

function notAnObject(): Problem[] {
  return problem('model_attributes_type', 'Input should be a valid dictionary or object to extract fields from');
}

function problem(type: string, msg: string): Problem[] {
  return [{ loc: [], msg, type }];
}

function join(
  problems: Problem[] | undefined,
  more: Problem[] | undefined,
  key?: string | number,
): Problem[] | undefined {
  if (!more) return problems;
  if (key !== undefined) for (const { loc } of more) loc.unshift(key);
  if (!problems) return more;
  // One by one: as arguments of a single call, a hundred thousand overflow the stack.
  for (const one of more) problems.push(one);
  return problems;
}
