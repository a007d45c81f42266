import type { TraitField } from '../../../storage/contract/traits.ts';
import { startPatience } from '../../../storage/values/patience.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import { termOf } from './difference-term.ts';
import { isOneFact, SameCalls } from './same-calls.ts';
import type { Side } from './side.ts';
import { chanceOf, corrected, type Proportion } from './significance.ts';
import { absenceOf, type Trait, traitsOf } from './traits.ts';

/** A difference is told where chance would make one as large anywhere less often than this, and where it is as large as that. */
const MOST_CHANCE = 0.01;
const LEAST_DIFFERENCE = 0.02;

/** Differences that are gone through; those beyond are smaller than as many others. */
const MAX_CANDIDATES = 300;

/** A trait with how much it tells. */
export interface RankedTrait {
  readonly trait: Trait;
  /** Share inside less share outside. */
  readonly difference: number;
  /** Corrected. */
  readonly chance: number;
  /** Traits of the same calls. */
  readonly same: Trait[];
}

export interface Ranking {
  readonly ranked: readonly RankedTrait[];
  /** Traits that were compared. */
  readonly compared: number;
}

export interface RankOptions extends ReadOptions {
  readonly limit: number;
  readonly isWanted: (field: TraitField) => boolean;
}

/** The traits by which two sides differ more than by chance, the largest difference first. */
export async function rankDifferences(inside: Side, outside: Side, options: RankOptions): Promise<Ranking> {
  const patience = startPatience(options);
  if (inside.count === 0 || outside.count === 0) return { ranked: [], compared: 0 };
  const traits: Trait[] = [];
  const chances: number[] = [];
  for (const trait of traitsOf(inside, outside, options.isWanted)) {
    patience.check();
    traits.push(trait);
    chances.push(chanceFor(inside.proportionOf(trait.inside), outside.proportionOf(trait.outside)));
    await patience.rest();
  }
  const chanceOfTrait = corrected(chances);
  const candidates = traits
    .map((trait, index): RankedTrait => {
      const difference = inside.shareOf(trait.inside) - outside.shareOf(trait.outside);
      return { trait, difference, chance: chanceOfTrait[index] ?? 1, same: [] };
    })
    .filter(({ difference, chance }) => chance <= MOST_CHANCE && Math.abs(difference) >= LEAST_DIFFERENCE)
    .map((ranked) => (isLessPresent(ranked) ? asAbsence(ranked, inside, outside) : ranked))
    .sort(byWeight)
    .slice(0, MAX_CANDIDATES);
  await patience.rest();
  const kept: RankedTrait[] = [];
  const sameCalls = new SameCalls(inside, outside);
  for (const candidate of candidates) {
    await patience.rest();
    if (kept.some((each) => isTold(each, candidate))) continue;
    const like = kept.find((each) => sameCalls.areSame(each, candidate));
    if (like === undefined && kept.length < options.limit) kept.push(candidate);
    else if (like !== undefined && isAlike(like, candidate)) like.same.push(candidate.trait);
  }
  return { ranked: kept, compared: traits.length };
}

/** One piece of evidence is none, however unlikely it would be: something has to be true of it. */
function chanceFor(own: Proportion, others: Proportion): number {
  const [more, fewer] = own.hits * others.count > others.hits * own.count ? [own, others] : [others, own];
  return Math.round(more.hits) < LEAST_HITS ? 1 : chanceOf(more, fewer);
}

const LEAST_HITS = 2;

/** Does a difference, or one of those told with it, tell the fact already? */
function isTold({ trait, difference, same }: RankedTrait, candidate: RankedTrait): boolean {
  return [trait, ...same].some((told) => isOneFact({ trait: told, difference }, candidate));
}

/** To have something less often is to be without it more often. */
function isLessPresent({ trait, difference }: RankedTrait): boolean {
  return trait.relation === 'present' && difference < 0;
}

function asAbsence(ranked: RankedTrait, inside: Side, outside: Side): RankedTrait {
  const trait = absenceOf(ranked.trait, { inside: inside.count, outside: outside.count });
  return { ...ranked, trait, difference: -ranked.difference };
}

/** Is it something to say of the same calls, and not of all others? */
function isAlike(like: RankedTrait, candidate: RankedTrait): boolean {
  return like.difference > 0 === candidate.difference > 0;
}

/** Equal differences are of the same calls: the one that says most plainly which is told. */
function byWeight(one: RankedTrait, other: RankedTrait): number {
  return (
    rounded(Math.abs(other.difference)) - rounded(Math.abs(one.difference)) ||
    other.difference - one.difference ||
    plainnessOf(other.trait) - plainnessOf(one.trait) ||
    depthOf(one.trait) - depthOf(other.trait) ||
    // Two traits with one name and one value are one trait.
    (nameOf(one.trait) < nameOf(other.trait) ? -1 : 1)
  );
}

function rounded(share: number): number {
  return Math.round(share * 1e9) / 1e9;
}

function plainnessOf({ field, relation, value }: Trait): number {
  const isNamed = field.kind === 'named' && field.name !== 'version';
  return (termOf({ field, relation, value }) === null ? 0 : 4) + (isNamed ? 2 : 0) + (relation === 'is' ? 1 : 0);
}

function depthOf({ field }: Trait): number {
  return field.kind === 'named' ? 0 : field.path.length;
}

function nameOf({ field, relation, value }: Trait): string {
  return JSON.stringify([field, relation, value]);
}
