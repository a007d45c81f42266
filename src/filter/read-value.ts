import {
  definitionOf,
  type FieldName,
  findField,
  isSearch,
  type NamedField,
  nameOf,
  OPTIONAL_FIELDS,
} from './fields.ts';
import { isTime } from './instant.ts';
import { nearestField, nearestOf } from './nearest.ts';
import { problem, quoted } from './problem.ts';
import type { FilterToken } from './tokens-of.ts';
import type { FilterError, FilterValue, Span } from './tree.ts';

/** Reads a value in the way of its field; the error says what such values look like. */
export function readValue(named: NamedField, token: FilterToken): FilterValue | FilterError {
  const { span, text } = token;
  if (token.quotes === 'open') return unclosed(token);
  if (text === '')
    return problem(span, `A value of ${nameOf(named)} is missing`, { expected: EXPECTED[takesOf(named)] });
  if (token.quotes === 'closed' && takesOf(named) === 'json') return { kind: 'text', text, span };
  return VALUE_RULES[takesOf(named)](named, token);
}

export function isError(read: FilterValue | FilterError): read is FilterError {
  return 'message' in read;
}

export function unclosed({ span }: FilterToken): FilterError {
  return problem({ offset: span.offset, length: 1 }, 'The quote that opens here is never closed', {
    expected: 'a second " further on',
  });
}

type ValueRule = (named: NamedField, token: FilterToken) => FilterValue | FilterError;
type Taken = ReturnType<typeof takesOf>;

function takesOf({ field }: NamedField) {
  return definitionOf(field).takes;
}

const EXPECTED: Readonly<Record<Taken, string>> = {
  text: 'a text',
  choice: 'one of its words',
  count: 'a number, as 1000 or 10k',
  money: 'US dollars, as 0.01',
  duration: 'a time with its unit, as 500ms, 2s, 5m or 1h',
  time: 'a time ago, as 24h or 7d, a date, or a date and time, as 2026-01-31T10:00',
  json: 'a number or a text',
  field: 'the name of a field',
};

const VALUE_RULES: Readonly<Record<Taken, ValueRule>> = {
  text: readText,
  choice: readChoice,
  count: readCount,
  money: readMoney,
  duration: readDuration,
  time: readTime,
  json: readJson,
  field: readField,
};

function readText(named: NamedField, { text, span, quotes }: FilterToken): FilterValue | FilterError {
  if (quotes === 'closed' || isSearch(named) || !text.includes('*')) {
    return { kind: 'text', text, span };
  }
  return readWildcard(named, text, span);
}

/** A star elsewhere could not be asked for, so it is refused rather than taken for a star. */
function readWildcard(named: NamedField, text: string, span: Span): FilterValue | FilterError {
  const wildcard = definitionOf(named.field).wildcard ?? 'none';
  const [, first = '', inner = '', last = ''] = /^(\*?)(.*?)(\*?)$/s.exec(text) ?? [];
  const isPlain = inner !== '' && !inner.includes('*') && last !== '';
  if (isPlain && first === '' && wildcard !== 'none') return { kind: 'beginning', text: inner, span };
  if (isPlain && first !== '' && wildcard === 'both') return { kind: 'part', text: inner, span };
  const places = wildcard === 'both' ? 'at the end, or at both ends' : 'at the end';
  const expected = wildcard === 'none' ? 'a text without *, or quotes around it' : `a * ${places}, or quotes around it`;
  return problem(span, `${quoted(text)} has a * where ${nameOf(named)} takes none`, { expected });
}

function readChoice(named: NamedField, { text, span }: FilterToken): FilterValue | FilterError {
  const choices = Object.entries(definitionOf(named.field).choices ?? {});
  const word = text.toLowerCase();
  const [choice] = choices.find(([name, others]) => name === word || others.includes(word)) ?? [];
  if (choice !== undefined) return { kind: 'text', text: choice, span };
  const names = choices.map(([name]) => name);
  return problem(span, `${nameOf(named)} is never ${quoted(text)}`, {
    expected: `one of ${names.join(', ')}`,
    suggestion: nearestOf(text, names),
  });
}

const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readCount(named: NamedField, { text, span }: FilterToken): FilterValue | FilterError {
  const [, digits = '', unit = ''] = /^(.*?)([km]?)$/is.exec(text) ?? [];
  const factor = unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1000 : 1_000_000;
  return numberValue(DECIMAL.test(digits) ? Number(digits) * factor : Number.NaN, named, text, span);
}

function readMoney(named: NamedField, { text, span }: FilterToken): FilterValue | FilterError {
  const digits = text.replace(/^\$/, '');
  return numberValue(DECIMAL.test(digits) ? Number(digits) : Number.NaN, named, text, span);
}

function numberValue(number: number, named: NamedField, text: string, span: Span): FilterValue | FilterError {
  // Of zeros there is one.
  if (Number.isFinite(number)) return { kind: 'number', number: number === 0 ? 0 : number, span };
  return problem(span, `${nameOf(named)} cannot be compared with ${quoted(text)}`, {
    expected: EXPECTED[takesOf(named)],
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function durationOf(text: string, units: readonly string[]): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/i.exec(text) ?? [];
  const factor = units.includes(unit.toLowerCase()) ? UNIT_MS[unit.toLowerCase()] : undefined;
  const ms = digits === undefined || factor === undefined ? Number.NaN : Math.round(Number(digits) * factor);
  return Number.isSafeInteger(ms) && ms <= MAX_MS ? ms : undefined;
}

/** Two hundred years: times before 1970 are no starts. */
const MAX_MS = 200 * 365 * 86_400_000;

function readDuration(named: NamedField, { text, span }: FilterToken): FilterValue | FilterError {
  const ms = durationOf(text, ['ms', 's', 'm', 'h']);
  if (ms !== undefined) return { kind: 'duration', ms, span };
  if (/^\d+(\.\d+)?$/.test(text)) {
    return problem(span, `${quoted(text)} has no unit`, {
      expected: EXPECTED.duration,
      suggestion: `${text}${Number(text) < 100 ? 's' : 'ms'}`,
    });
  }
  return problem(span, `${nameOf(named)} cannot be compared with ${quoted(text)}`, { expected: EXPECTED.duration });
}

function readTime(named: NamedField, { text, span }: FilterToken): FilterValue | FilterError {
  const ms = durationOf(text, ['s', 'm', 'h', 'd', 'w']);
  if (ms !== undefined) return { kind: 'duration', ms, span };
  if (isTime(text)) return { kind: 'time', text: text.toUpperCase(), span };
  return problem(span, `${nameOf(named)} cannot be compared with ${quoted(text)}`, { expected: EXPECTED.time });
}

function readJson(named: NamedField, token: FilterToken): FilterValue | FilterError {
  if (!isSearch(named) && DECIMAL.test(token.text))
    return numberValue(Number(token.text), named, token.text, token.span);
  return readText(named, token);
}

function readField(_named: NamedField, { text, span }: FilterToken): FilterValue | FilterError {
  const named = findField(text) ?? bareField(text);
  if (named !== undefined && OPTIONAL_FIELDS.includes(named.field)) return { kind: 'field', named, span };
  const expected = `one of ${OPTIONAL_FIELDS.map(withPath).join(', ')}`;
  if (named !== undefined) return problem(span, `There is no asking whether there is ${quoted(text)}`, { expected });
  const suggestion = nearestField(text);
  return problem(span, `There is no field ${quoted(text)}`, {
    expected,
    suggestion: suggestion === text ? undefined : suggestion,
  });
}

function withPath(field: FieldName): string {
  return definitionOf(field).path === 'required' ? `${field}.name` : field;
}

/** Whether there is any feedback can be asked without a type. */
function bareField(text: string): NamedField | undefined {
  return text.toLowerCase() === 'feedback' ? { field: 'feedback' } : undefined;
}
