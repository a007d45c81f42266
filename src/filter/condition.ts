import type { Expression, QueryObject } from '../protocol/query.ts';
import type { Order } from './tree.ts';

/** A number is compared; nothing that is not there is above, below or equal to anything. */
export interface NumberTest {
  readonly operator: Order | '=';
  readonly value: number;
}

export type ShownState = 'running' | 'never_ended';

/**
 * Tests that no field of the query language stands for: sums over all models, prices, beginnings of names of models,
 * and whether a call without an end is still running.
 */
export type BeyondTest =
  | ({ readonly kind: 'tokens'; readonly bucket: 'total' | 'input' | 'output' } & NumberTest)
  | ({ readonly kind: 'cost' } & NumberTest)
  /** One of the models is so. */
  | { readonly kind: 'model'; readonly match: 'beginning' | 'part'; readonly text: string }
  | { readonly kind: 'state'; readonly state: ShownState }
  /** A cost is known, of zero too. */
  | { readonly kind: 'priced' };

/** Such tests, joined with one another and, where they cannot be taken apart, with queries. Always true or false. */
export type BeyondCondition =
  | BeyondTest
  | { readonly kind: 'query'; readonly query: QueryObject }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly BeyondCondition[] }
  | { readonly kind: 'not'; readonly condition: BeyondCondition };

/** The meaning of a filter, before it is decided what asks for it. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  /** NULL, neither true nor false, in the calls in which `nullOperand` is. */
  | { readonly kind: 'test'; readonly test: Expression; readonly nullOperand?: Expression }
  | { readonly kind: 'beyond'; readonly test: BeyondTest };

/**
 * The condition as a query. Tests are negated one by one: the service has three truth values, and what is not known there
 * is false here, so that a condition and its opposite share no call and leave none out. `undefined` where it needs more
 * than a query can ask.
 */
export function expressionOf(condition: Condition, isNegated = false): Expression | undefined {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const parts = condition.parts.map((part) => expressionOf(part, isNegated));
      const known = parts.filter(isKnown);
      if (known.length < parts.length) return undefined;
      return junction((condition.kind === 'and') === isNegated ? '$or' : '$and', known);
    }
    case 'not':
      return expressionOf(condition.part, !isNegated);
    case 'test':
      return isNegated ? opposite(condition) : condition.test;
    case 'beyond':
      return undefined;
  }
}

/** Tokens, money and models are known of calls that say what they have used, which most do not. */
const HAS_USAGE: Expression = { $convert: { input: { $getField: 'summary.usage' }, to: 'exists' } };

/** A test that holds where the condition does, as far as queries can ask: it spares the rest a look at most calls. */
export function necessaryFor(condition: Condition, isNegated = false): Expression | undefined {
  if (condition.kind === 'not') return necessaryFor(condition.part, !isNegated);
  if (condition.kind === 'beyond') return isNegated || condition.test.kind === 'state' ? undefined : HAS_USAGE;
  if (condition.kind !== 'and' && condition.kind !== 'or') return expressionOf(condition, isNegated);
  const parts = condition.parts.map((part) => necessaryFor(part, isNegated));
  const known = parts.filter(isKnown);
  if ((condition.kind === 'or') === isNegated) return known.length > 0 ? junction('$and', known) : undefined;
  return known.length < parts.length ? undefined : junction('$or', known);
}

export function beyondOf(condition: Condition): BeyondCondition {
  const query = expressionOf(condition);
  if (query !== undefined) return { kind: 'query', query: { $expr: query } };
  switch (condition.kind) {
    case 'and':
      return { kind: 'all', conditions: condition.parts.map(beyondOf) };
    case 'or':
      return { kind: 'any', conditions: condition.parts.map(beyondOf) };
    case 'not':
      return { kind: 'not', condition: beyondOf(condition.part) };
    case 'beyond':
      return condition.test;
    case 'test':
      throw new Error('A test is always a query');
  }
}

/** Conditions that all have to hold, taken apart as far as that goes. */
export function conjunctsOf(condition: Condition, isNegated = false): Condition[] {
  if (condition.kind === 'not') return conjunctsOf(condition.part, !isNegated);
  const isSplit = condition.kind === (isNegated ? 'or' : 'and');
  if (isSplit) return condition.parts.flatMap((part) => conjunctsOf(part, isNegated));
  return [isNegated ? { kind: 'not', part: condition } : condition];
}

/** Parts that are of the same kind are taken in: queries may be nested fifty times. */
export function junction(operator: '$and' | '$or', expressions: readonly Expression[]): Expression {
  const parts = expressions.flatMap((expression) => {
    if (operator === '$and') return '$and' in expression ? expression.$and : [expression];
    return '$or' in expression ? expression.$or : [expression];
  });
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return operator === '$and' ? { $and: parts } : { $or: parts };
}

function opposite({ test, nullOperand }: Extract<Condition, { kind: 'test' }>): Expression {
  const isFalse: Expression = { $not: [test] };
  return nullOperand === undefined ? isFalse : { $or: [isFalse, { $eq: [nullOperand, { $literal: null }] }] };
}

function isKnown(expression: Expression | undefined): expression is Expression {
  return expression !== undefined;
}
