// docs/decisions/0050-differences-are-of-a-sample-by-traces.md says why.
import { TracingError } from '../../../protocol/error.ts';
import type {
  CallsDifferencesRequest,
  CallsDifferencesResponse,
  CallTrait,
  ComparedCalls,
  Difference,
} from '../../../protocol/page/calls-differences.ts';
import { notNegative } from '../plan/not-negative.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import type { RowSources } from '../rows/row-sources.ts';
import { readSides } from './compared-calls.ts';
import { termOf } from './difference-term.ts';
import { nameOfField, shownValue } from './field-name.ts';
import { LeftOut } from './left-out.ts';
import { rankDifferences, type RankedTrait } from './rank-differences.ts';
import { type Side, sidesOf } from './side.ts';
import type { Trait } from './traits.ts';

/** Differences of one answer. */
const DEFAULT_DIFFERENCES = 20;
const MAX_DIFFERENCES = 100;

/** Traits of the same calls that are told with one. */
const MAX_SAME = 5;

/** Tells traits that the calls of a selection have more or less often than others. */
export async function readDifferences(
  sources: RowSources,
  request: CallsDifferencesRequest,
  context: ReadContext,
): Promise<CallsDifferencesResponse> {
  const limit = limitOf(request);
  const sides = await readSides(sources, request, context);
  const leftOut = new LeftOut(sides.asked);
  const [inside, outside] = sidesOf(sides.inside, sides.outside);
  const { ranked, compared } = await rankDifferences(inside, outside, {
    ...readOptions(context),
    limit,
    isWanted: (field) => !leftOut.has(field),
  });
  return {
    selection: countsOf(inside),
    rest: countsOf(outside),
    differences: ranked.map((each) => differenceOf(each, inside, outside)),
    compared,
    left_out: leftOut.names,
  };
}

function limitOf({ limit }: CallsDifferencesRequest): number {
  const wanted = notNegative('limit', limit) ?? DEFAULT_DIFFERENCES;
  if (wanted >= 1 && wanted <= MAX_DIFFERENCES) return wanted;
  throw new TracingError('invalid_request', `Cannot tell ${wanted} differences: want 1 to ${MAX_DIFFERENCES}`);
}

function countsOf({ traits, count, traceCount }: Side): ComparedCalls {
  return { calls: traits.total, looked_at: count, traces: traceCount };
}

function differenceOf({ trait, chance, same }: RankedTrait, inside: Side, outside: Side): Difference {
  const [share, restShare] = [inside.shareOf(trait.inside), outside.shareOf(trait.outside)];
  return {
    ...traitOf(trait),
    calls: trait.inside.length,
    share,
    rest_calls: trait.outside.length,
    rest_share: restShare,
    lift: restShare === 0 ? null : share / restShare,
    p: chance,
    same: same.slice(0, MAX_SAME).map(traitOf),
  };
}

function traitOf({ field, relation, value }: Trait): CallTrait {
  return {
    field: nameOfField(field),
    relation,
    value: shownValue(field, value),
    where: termOf({ field, relation, value }),
  };
}
