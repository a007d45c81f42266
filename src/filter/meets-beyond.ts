import type { QueryObject } from '../protocol/query.ts';
import type { BeyondCondition, BeyondTest, NumberTest, ShownState } from './condition.ts';

/** The facts that are known of a call, with those below it. */
export interface BeyondFacts {
  /** Null where no model was used. */
  readonly tokens: { readonly input: number; readonly output: number; readonly total: number } | null;
  /** US dollars; null where none is known. */
  readonly cost: number | null;
  readonly models: readonly string[];
  /** How it is shown while it has no end; any other text afterwards. */
  readonly state: ShownState | (string & {});
}

/** Is a call so? `meetsQuery` answers for the queries inside: they are of one call too. */
export function meetsBeyond(
  condition: BeyondCondition,
  facts: BeyondFacts,
  meetsQuery: (query: QueryObject) => boolean,
): boolean {
  const meets = (each: BeyondCondition) => meetsBeyond(each, facts, meetsQuery);
  switch (condition.kind) {
    case 'all':
      return condition.conditions.every(meets);
    case 'any':
      return condition.conditions.some(meets);
    case 'not':
      return !meets(condition.condition);
    case 'query':
      return meetsQuery(condition.query);
    default:
      return meetsTest(condition, facts);
  }
}

/** The queries inside of a condition: `meetsBeyond` asks for these. */
export function queriesOf(condition: BeyondCondition): QueryObject[] {
  if (condition.kind === 'query') return [condition.query];
  if (condition.kind === 'not') return queriesOf(condition.condition);
  return 'conditions' in condition ? condition.conditions.flatMap(queriesOf) : [];
}

function meetsTest(test: BeyondTest, { tokens, cost, models, state }: BeyondFacts): boolean {
  switch (test.kind) {
    case 'tokens':
      return tokens !== null && holds(tokens[test.bucket], test);
    case 'cost':
      return cost !== null && holds(cost, test);
    case 'priced':
      return cost !== null;
    case 'state':
      return state === test.state;
    case 'model':
      return models.some((model) => (test.match === 'part' ? hasPart(model, test.text) : model.startsWith(test.text)));
  }
}

function holds(number: number, { operator, value }: NumberTest): boolean {
  switch (operator) {
    case '=':
      return number === value;
    case '>':
      return number > value;
    case '>=':
      return number >= value;
    case '<':
      return number < value;
    case '<=':
      return number <= value;
  }
}

/** In any case, as everywhere. */
function hasPart(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
