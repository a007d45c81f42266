import type { CallTrait, TraitRelation } from '../protocol/page/calls-differences.ts';
import { isRef, parseRef } from '../protocol/ref.ts';

/** Characters of a digest that tell versions apart. */
const DIGEST = 8;

type Trait = Pick<CallTrait, 'field' | 'relation' | 'value'>;

/** A trait in the two parts of its words, as `attr.region =` and `eu-3`: both may hold anything that calls recorded. */
export interface TraitParts {
  /** Empty where the value says it all. */
  readonly subject: string;
  readonly value: string;
}

/** A trait in a few words of plain text, which may hold anything that calls recorded: `attr.region = eu-3`, `latency ≥ 1200 ms`. */
export function traitWords(trait: Trait): string {
  const { subject, value } = traitParts(trait);
  return subject === '' ? value : `${subject} ${value}`;
}

export function traitParts({ field, relation, value }: Trait): TraitParts {
  if (field === 'roots') return { subject: '', value: 'no parent' };
  if (field === 'version') return { subject: 'version', value: shortVersion(value) };
  return PARTS[relation](field, value);
}

const PARTS: Readonly<Record<TraitRelation, (field: string, value: string) => TraitParts>> = {
  is: (field, value) => ({ subject: `${field} =`, value }),
  present: (field) => ({ subject: 'has', value: field }),
  absent: (field) => ({ subject: 'has no', value: field }),
  type: (field, value) => ({ subject: `${field} is`, value: TYPES[value] ?? value }),
  at_least: (field, value) => ({ subject: `${field} ≥`, value: field === 'latency' ? `${value} ms` : value }),
  length_at_least: (field, value) => ({ subject: `length of ${field} ≥`, value }),
  size_at_least: (field, value) => ({ subject: `size of ${field} ≥`, value: `${value} B` }),
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
