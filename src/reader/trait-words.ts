import type { CallTrait, TraitRelation } from '../protocol/page/calls-differences.ts';
import { isRef, parseRef } from '../protocol/ref.ts';

/** Characters of a digest that tell versions apart. */
const DIGEST = 8;

/** A trait in a few words of plain text, which may hold anything that calls recorded: `attr.region = eu-3`, `latency ≥ 1200 ms`. */
export function traitWords({ field, relation, value }: Pick<CallTrait, 'field' | 'relation' | 'value'>): string {
  if (field === 'roots') return 'no parent';
  if (field === 'version') return `version ${shortVersion(value)}`;
  return WORDS[relation](field, value);
}

const WORDS: Readonly<Record<TraitRelation, (field: string, value: string) => string>> = {
  is: (field, value) => `${field} = ${value}`,
  present: (field) => `has ${field}`,
  absent: (field) => `has no ${field}`,
  type: (field, value) => `${field} is ${TYPES[value] ?? value}`,
  at_least: (field, value) => `${field} ≥ ${value}${field === 'latency' ? ' ms' : ''}`,
  length_at_least: (field, value) => `length of ${field} ≥ ${value}`,
  size_at_least: (field, value) => `size of ${field} ≥ ${value} B`,
};

const TYPES: Readonly<Record<string, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
};

function shortVersion(opName: string): string {
  if (!isRef(opName)) return opName;
  const ref = parseRef(opName);
  return ref.kind === 'op' ? `${ref.name}:${ref.version.slice(0, DIGEST)}` : opName;
}
