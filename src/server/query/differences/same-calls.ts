import type { RankedTrait } from './rank-differences.ts';
import type { Places, Side } from './side.ts';
import type { Trait } from './traits.ts';

/** So much of the calls that have one of two traits have both, where both are traits of the same calls. */
const LEAST_SHARED = 0.9;

type Ranked = Pick<RankedTrait, 'trait' | 'difference'>;

/**
 * Do two differences tell one fact, of which the first says more? Of a field it is one which value more calls have, and that
 * fewer have others; and where its edge is, or that there is one at all.
 */
export function isOneFact(first: Ranked, second: Ranked): boolean {
  if (placeOf(first.trait) !== placeOf(second.trait)) return false;
  const isOther = first.trait.relation !== 'is' || second.trait.relation !== 'is';
  return isOther || first.difference > 0 !== second.difference > 0;
}

function placeOf({ field }: Trait): string {
  return JSON.stringify(field.kind === 'named' ? field.name : [field.column, field.path]);
}

/** Tells whether traits are of the same calls. One that more calls have inside may be what others have outside. */
export class SameCalls {
  readonly #inside: Side;
  readonly #outside: Side;
  /** 1 for calls that have the trait that was compared last. */
  readonly #marks: { readonly inside: Uint8Array; readonly outside: Uint8Array };
  #marked: Trait | undefined;

  constructor(inside: Side, outside: Side) {
    this.#inside = inside;
    this.#outside = outside;
    this.#marks = { inside: new Uint8Array(inside.count), outside: new Uint8Array(outside.count) };
  }

  /** Each side counts as much as the other, however many calls it has. */
  areSame(first: Ranked, second: Ranked): boolean {
    this.#mark(second.trait);
    const isOpposite = first.difference > 0 !== second.difference > 0;
    const [own, others] = [first.trait, second.trait];
    const inside = shared(own.inside, this.#marks.inside, { count: others.inside.length, isOpposite });
    const outside = shared(own.outside, this.#marks.outside, { count: others.outside.length, isOpposite });
    const [insideCount, outsideCount] = [this.#inside.count, this.#outside.count];
    const both = inside.both / insideCount + outside.both / outsideCount;
    const any = inside.any / insideCount + outside.any / outsideCount;
    return both >= LEAST_SHARED * any;
  }

  #mark(trait: Trait): void {
    if (this.#marked === trait) return;
    this.#marked = trait;
    this.#marks.inside.fill(0);
    this.#marks.outside.fill(0);
    for (const place of trait.inside) this.#marks.inside[place] = 1;
    for (const place of trait.outside) this.#marks.outside[place] = 1;
  }
}

interface Second {
  /** Calls that have the second trait. */
  readonly count: number;
  /** Those are meant that do not have it. */
  readonly isOpposite: boolean;
}

/** Calls that have both traits, and that have any. */
function shared(first: Places, marks: Uint8Array, { count, isOpposite }: Second): { both: number; any: number } {
  let common = 0;
  for (const place of first) common += marks[place] ?? 0;
  const second = isOpposite ? marks.length - count : count;
  const both = isOpposite ? first.length - common : common;
  return { both, any: first.length + second - both };
}
