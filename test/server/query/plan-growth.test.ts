import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { NumberToken } from '../../../src/protocol/values/canonical-json.ts';
import { planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import {
  planExpandedCalls,
  planExpandedSelection,
  planExpansion,
} from '../../../src/server/query/plan/plan-expansion.ts';
import { printCount } from '../../../src/storage/sqlite/read/select-calls.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import { grownQuery, type Node, PLACES, VALUE, WIDE } from './grown-queries.ts';

/** Parts of a plan, and characters of its SQL, for each character of the query. */
const MOST_PARTS = 1;
const MOST_CHARACTERS = 40;

/** How a plan grows is seen beyond what may be asked of feedback. */
const LIMITS = { ...DEFAULT_LIMITS, query_feedback: 100_000 };

/** How large the plan of a query becomes, against its text. */
function growthOf($expr: Node): { readonly parts: number; readonly characters: number } {
  const { length } = JSON.stringify($expr);
  const selection = planSelection({ project_id: 'acme/demo', query: { $expr: $expr as never } }, LIMITS);
  const parts = partsOf(selection.condition, MOST_PARTS * length);
  const { text, values } =
    parts > MOST_PARTS * length ? { text: '', values: [] } : printCount(selection, undefined, sqliteDialect);
  const bound = values.reduce<number>((sum, value) => sum + String(value).length, 0);
  return { parts: parts / length, characters: (text.length + bound) / length };
}

/** Parts of a plan as a tree: what is in it twice counts twice. Counting ends beyond `most`. */
function partsOf(part: unknown, most: number): number {
  if (typeof part !== 'object' || part === null) return 0;
  let count = 1;
  for (const inner of Object.values(part)) if (count <= most) count += partsOf(inner, most - count);
  return count;
}

function problemsOf(name: string, grow: (size: number) => Node | undefined, sizes: readonly number[]): string[] {
  for (const size of sizes) {
    const query = grow(size);
    if (query === undefined) return [];
    const { parts, characters } = growthOf(query);
    // What comes after it would take for ever.
    if (parts > MOST_PARTS || characters > MOST_CHARACTERS) {
      return [`${name} at ${size}: ${parts.toFixed(1)} parts and ${characters.toFixed(1)} characters of each`];
    }
  }
  return [];
}

describe('the plan of a wide query grows with its text', () => {
  for (const [place, wrap] of Object.entries(PLACES)) {
    test(`of ${place}`, () => {
      const problems = Object.entries(WIDE).flatMap(([operator, widen]) =>
        problemsOf(`${operator} < ${place}`, (size) => widen(repeat(wrap(VALUE), size)), WIDTHS),
      );
      expect(problems).toEqual([]);
    });
  }
});

/** Levels of operators; the last is all that a query may have. */
const DEPTHS = [12, 47];
/** Operands beside one another. */
const WIDTHS = [300];

describe('the plan of a query grows with its text', () => {
  for (const [outer, wrap] of Object.entries(PLACES)) {
    test(`in ${outer}, whatever is nested there`, () => {
      const problems = Object.entries(PLACES).flatMap(([inner, wrapInner]) =>
        problemsOf(`${outer} < ${inner}`, (depth) => grownQuery([wrap, wrapInner], VALUE, depth), DEPTHS),
      );
      expect(problems).toEqual([]);
    });
  }
});

/** Characters of SQL for each character of a query of nothing but values whose paths can be read in several ways. */
const MOST_FOR_VALUES = 25;

test('a value whose path has indexes is found once, in whatever ways it is looked at', () => {
  const value = { $getField: 'inputs.0.1.2' };
  const literals = [1, 'x', true, null, { a: 1 }].map(($literal) => ({ $literal }));
  const looks: readonly Node[] = [value, ...literals.map((literal) => ({ $eq: [value, literal] }))];
  const growths = looks.map((look) => growthOf({ $or: repeat(look, 500) }).characters);
  expect(growths.filter((characters) => characters > MOST_FOR_VALUES)).toEqual([]);
});

function repeat(node: Node, count: number): readonly Node[] {
  return Array.from({ length: count }, () => node);
}

describe('the items of a long list are looked at', () => {
  const project_id = 'acme/demo';
  const plans = { list: planExpandedCalls, count: planExpandedSelection };
  /** How often a plan asks for the value of an item. */
  const looksOf = (plan: (typeof plans)['list' | 'count'], expand: readonly string[]): number => {
    let looks = 0;
    const item = {
      get $literal() {
        looks++;
        return 'x';
      },
    };
    const $expr = { $in: [{ $getField: 'inputs.a.b' }, [item]] };
    plan({ project_id, query: { $expr } } as never, planExpansion(expand, LIMITS), LIMITS);
    return looks;
  };

  test.each(Object.entries(plans))('once for a %s, and once more where references are followed', (_, plan) => {
    expect(looksOf(plan, [])).toBe(1);
    expect(looksOf(plan, ['inputs.a'])).toBe(2);
  });

  test('whatever their types are, and kept once each in their order', () => {
    const items = ['1', 1, 'number 1', true, '1', 1, { a: 1 }, { a: 1 }, false].map((value) => ({ $literal: value }));
    const query = { $expr: { $in: [{ $getField: 'inputs.a' }, [...items, { $literal: new NumberToken('1.0') }]] } };
    const { condition } = planSelection({ project_id, query } as never, LIMITS);
    const kept = ['1', 1, 'number 1', true, { a: 1 }, { a: 1 }, false, new NumberToken('1.0')];
    expect(condition).toMatchObject({ kind: 'in', items: kept.map((value) => ({ kind: 'literal', value })) });
  });
});
