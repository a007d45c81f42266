import type { TraitRelation } from '../../../protocol/page/calls-differences.ts';
import type { CallTraits, TraitField } from '../../../storage/contract/traits.ts';
import type { Places, Side } from './side.ts';
import { edgesOf } from './thresholds.ts';

/** A statement that is true of some calls of both sides. */
export interface Trait {
  readonly field: TraitField;
  readonly relation: TraitRelation;
  readonly value: string;
  readonly inside: Places;
  readonly outside: Places;
}

/** Traits of fewer calls on both sides together are not looked at. */
const LEAST_CALLS = 5;

/** All traits that calls of two sides have, of the fields that are wanted. */
export function* traitsOf(
  inside: Side,
  outside: Side,
  isWanted: (field: TraitField) => boolean,
): Generator<Trait, void> {
  const fields = new JoinedFields();
  fields.add('inside', inside.traits, isWanted);
  fields.add('outside', outside.traits, isWanted);
  for (const trait of fields.traits()) {
    if (trait.inside.length + trait.outside.length >= LEAST_CALLS) yield trait;
  }
}

/** The opposite of a trait, which is that a value is present. */
export function absenceOf({ field, inside, outside }: Trait, counts: Readonly<Record<SideName, number>>): Trait {
  return {
    field,
    relation: 'absent',
    value: '',
    inside: allBut(inside, counts.inside),
    outside: allBut(outside, counts.outside),
  };
}

function allBut(places: Places, count: number): Places {
  const isOther = new Uint8Array(count).fill(1);
  for (const place of places) isOther[place] = 0;
  return Uint32Array.from({ length: count }, (_, place) => place).filter((place) => isOther[place] === 1);
}

type SideName = 'inside' | 'outside';

const NONE: Places = new Uint32Array();

interface Joined {
  readonly field: TraitField;
  readonly texts: Map<string, Record<SideName, Places>>;
  readonly numbers: Record<SideName, PlacedNumbers>;
}

/** Numbers of calls, with the places of these. */
interface PlacedNumbers {
  readonly places: Places;
  readonly numbers: Float64Array;
}

const NO_NUMBERS: PlacedNumbers = { places: NONE, numbers: new Float64Array() };

/** Fields of two sides, each of which has found them in an order of its own. */
class JoinedFields {
  readonly #fields = new Map<string, Joined>();

  add(side: SideName, traits: CallTraits, isWanted: (field: TraitField) => boolean): void {
    const joined = traits.fields.map((field) => (isWanted(field) ? this.#joinedOf(field) : undefined));
    const placesOfTexts = grouped(traits.textPlaces, traits.textEnds, traits.texts.length);
    for (const [index, { field, text }] of traits.texts.entries()) {
      const texts = joined[field]?.texts;
      const places = placesOfTexts[index]?.calls ?? NONE;
      if (texts === undefined) continue;
      const known = texts.get(text) ?? { inside: NONE, outside: NONE };
      // A number and a text of the same digits are one value, as for filters.
      known[side] = known[side].length === 0 ? places : merged([known[side], places]);
      texts.set(text, known);
    }
    const placesOfNumbers = grouped(traits.numberFields, traits.numberEnds, traits.fields.length);
    for (const [index, { calls, entries }] of placesOfNumbers.entries()) {
      const numbers = joined[index]?.numbers;
      if (numbers === undefined || calls.length === 0) continue;
      numbers[side] = { places: calls, numbers: Float64Array.from(entries, (entry) => traits.numbers[entry] ?? 0) };
    }
  }

  *traits(): Generator<Trait, void> {
    for (const joined of this.#fields.values()) {
      yield* textTraits(joined);
      yield* numberTraits(joined);
    }
  }

  #joinedOf(field: TraitField): Joined {
    const key = JSON.stringify(field);
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    const joined: Joined = { field, texts: new Map(), numbers: { inside: NO_NUMBERS, outside: NO_NUMBERS } };
    this.#fields.set(key, joined);
    return joined;
  }
}

interface Group {
  readonly calls: Places;
  /** Places in the list that was grouped. */
  readonly entries: Uint32Array;
}

/** The calls that have each key, given the keys of all calls one behind the other. */
function grouped(keys: Uint32Array, ends: Uint32Array, keyCount: number): Group[] {
  const starts = new Uint32Array(keyCount + 1);
  for (const key of keys) starts[key + 1] = (starts[key + 1] ?? 0) + 1;
  for (let key = 0; key < keyCount; key++) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const next = starts.slice();
  const [calls, entries] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  let entry = 0;
  for (const [call, end] of ends.entries()) {
    for (; entry < end; entry++) {
      const at = next[keys[entry] ?? 0] ?? 0;
      next[keys[entry] ?? 0] = at + 1;
      calls[at] = call;
      entries[at] = entry;
    }
  }
  return Array.from({ length: keyCount }, (_, key) => {
    const [from, to] = [starts[key] ?? 0, starts[key + 1] ?? 0];
    return { calls: calls.subarray(from, to), entries: entries.subarray(from, to) };
  });
}

function textTraits({ field, texts }: Joined): Trait[] {
  const named = [...texts].map(([value, places]) => ({ field, value, ...places }));
  if (field.kind === 'named' && field.name === 'thread') {
    return named.map((trait) => ({ ...trait, relation: 'present', value: '' }));
  }
  if (field.kind === 'named' || field.of === 'value') return named.map((trait) => ({ ...trait, relation: 'is' }));
  const inside = merged(named.map((trait) => trait.inside));
  const outside = merged(named.map((trait) => trait.outside));
  const present: Trait = { field, relation: 'present', value: '', inside, outside };
  return named.length < 2 ? [present] : [present, ...named.map((trait) => ({ ...trait, relation: 'type' }) as const)];
}

function numberTraits({ field, numbers }: Joined): Trait[] {
  const relation = relationOf(field);
  return edgesOf(numbers.inside.numbers, numbers.outside.numbers, isWhole(field)).map((edge) => {
    const above = ({ places, numbers: values }: PlacedNumbers) =>
      places.filter((_, index) => (values[index] ?? Number.NaN) >= edge);
    const [inside, outside] = [above(numbers.inside), above(numbers.outside)];
    return { field, relation, value: String(edge), inside, outside };
  });
}

function relationOf(field: TraitField): 'at_least' | 'length_at_least' | 'size_at_least' {
  if (field.kind === 'path') return field.of === 'length' ? 'length_at_least' : 'at_least';
  return field.name === 'inputBytes' ? 'size_at_least' : 'at_least';
}

/** Numbers of values at paths may have fractions; those of a kind that all calls have are counted in whole units. */
function isWhole(field: TraitField): boolean {
  return field.kind === 'named' || field.of === 'length';
}

/** Calls that are in any of some lists, each once. */
function merged(lists: readonly Places[]): Places {
  const [first = NONE, ...others] = lists.filter(({ length }) => length > 0);
  return others.length === 0
    ? first
    : Uint32Array.from(new Set([first, ...others].flatMap((list) => [...list]))).sort();
}
