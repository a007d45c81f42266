import { definitionOf, nameOf, type NamedField, type ValueKind } from './fields.ts';
import { isError, readValue } from './read-value.ts';
import { tokensOf } from './tokens-of.ts';
import type { FieldNode, FilterTree, FilterValue } from './tree.ts';

/** The text of a tree in its one form: parsing it gives the same tree again. */
export function printFilter(tree: FilterTree): string {
  switch (tree.kind) {
    case 'and':
      return tree.parts.map((part) => (part.kind === 'or' ? grouped(part) : printFilter(part))).join(' ');
    case 'or':
      return tree.parts.map(printFilter).join(' or ');
    case 'not':
      return `-${isAlone(tree.part) ? printFilter(tree.part) : grouped(tree.part)}`;
    case 'words':
      return printWords(tree.text);
    case 'field':
      return printField(tree);
  }
}

/** A value as it is written after `field:`, with quotes where it needs them: what a suggestion puts in. */
export function printValue(text: string, named: NamedField): string {
  // In parentheses, since half a pair of them in a value would take in the one that closes them.
  const [, , , value, close, ...more] = tokensOf(`(${nameOf(named)}:${text})`);
  if (value?.kind !== 'value' || close?.kind !== 'close' || more.length > 0) return quote(text);
  const read = readValue(named, value);
  return !isError(read) && read.kind === 'text' && read.text === text ? text : quote(text);
}

function grouped(tree: FilterTree): string {
  return `(${printFilter(tree)})`;
}

/** After a dash, words that begin with another sign would be read differently. */
function isAlone(tree: FilterTree): boolean {
  return tree.kind === 'field' || (tree.kind === 'words' && !/^[-=>]/.test(tree.text));
}

/** Words stay as they are where they are read as the same words again, in parentheses too and whatever follows. */
function printWords(text: string): string {
  const [, token, close, ...more] = tokensOf(`(${text})`);
  const isBare = token?.kind === 'words' && token.text === text && close?.kind === 'close' && more.length === 0;
  // A backslash at the end would take in the blank between two words as a part of a path.
  return isBare && !text.endsWith('\\') ? text : quote(text);
}

function printField(node: FieldNode): string {
  const { test } = node;
  const name = nameOf(node);
  const print = (value: FilterValue) => printOne(value, node);
  switch (test.kind) {
    case 'is':
      return printIs(name, test.values.map(print).join(','));
    case 'order':
      return `${name}${test.order}${print(test.value)}`;
    case 'range':
      return `${name}:${print(test.from)}..${print(test.to)}`;
  }
}

/** Some values that are read after `=` would be read as something else after a colon, such as `>*`. */
function printIs(name: string, values: string): string {
  const [afterColon, afterEquals] = [':', '='].map((sign) => partsOf(`(${name}${sign}${values})`));
  return `${name}${afterColon === afterEquals ? ':' : '='}${values}`;
}

function partsOf(text: string): string {
  return JSON.stringify(tokensOf(text).map(({ kind, text: part }) => [kind, part]));
}

function printOne(value: FilterValue, named: NamedField): string {
  switch (value.kind) {
    case 'text':
      return printValue(value.text, named);
    case 'beginning':
      return `${value.text}*`;
    case 'part':
      return `*${value.text}*`;
    case 'number':
      return String(value.number);
    case 'duration':
      return printDuration(value.ms, definitionOf(named.field).takes);
    case 'time':
      return value.text;
    case 'field':
      return nameOf(value.named);
  }
}

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const LATENCY_UNITS = ['h', 'm', 's'] as const;
const AGO_UNITS = ['d', ...LATENCY_UNITS] as const;
/** People say 24h, and 7d. */
const FEWEST = { d: 2, h: 1, m: 1, s: 0 };

/** In the largest unit of which it is a whole number. */
function printDuration(ms: number, takes: ValueKind): string {
  const units = takes === 'time' ? AGO_UNITS : LATENCY_UNITS;
  const unit = units.find((each) => ms % UNITS[each] === 0 && ms / UNITS[each] >= FEWEST[each]);
  if (unit !== undefined) return `${ms / UNITS[unit]}${unit}`;
  return takes === 'time' ? `${ms / 1000}s` : `${ms}ms`;
}

function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}
