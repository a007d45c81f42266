import * as fc from 'fast-check';
import { printJson, RawToken } from './json-text.ts';
import { nest, oddKey, oddValue } from './values.ts';

/** One change to a body; `at` chooses the place, whatever shape the body has. */
export interface Mutation {
  readonly at: number;
  readonly change:
    | { readonly kind: 'drop' | 'double' | 'empty' }
    | { readonly kind: 'replace'; readonly value: unknown }
    | { readonly kind: 'add' | 'rename'; readonly key: string; readonly value: unknown }
    | { readonly kind: 'wrap'; readonly levels: number; readonly isList: boolean }
    | { readonly kind: 'repeat'; readonly times: number };
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 200 }),
  change: fc.oneof(
    fc.record({ kind: fc.constantFrom('drop' as const, 'double' as const, 'empty' as const) }),
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('replace' as const), value: oddValue }) },
    fc.record({ kind: fc.constantFrom('add' as const, 'rename' as const), key: oddKey, value: oddValue }),
    fc.record({
      kind: fc.constant('wrap' as const),
      levels: fc.constantFrom(1, 40, 600, 4999, 6000),
      isList: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('repeat' as const), times: fc.constantFrom(2, 12, 1001, 10_001) }),
  ),
});

/** The body with its changes; nothing of the original is touched. */
export function mutate(body: unknown, mutations: readonly Mutation[]): unknown {
  return mutations.reduce<unknown>((value, { at, change }) => changeAt(value, at % countPlaces(value), change), body);
}

function countPlaces(value: unknown): number {
  return 1 + childrenOf(value).reduce((sum, [, child]) => sum + countPlaces(child), 0);
}

function childrenOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !(value instanceof RawToken) ? Object.entries(value) : [];
}

/** Counts places from the root downwards, and changes the one where the count is 0. */
function changeAt(value: unknown, place: number, change: Mutation['change']): unknown {
  if (place === 0) return changed(value, change);
  let rest = place - 1;
  const entries: [string, unknown][] = [];
  for (const [key, child] of childrenOf(value)) {
    const size = countPlaces(child);
    const isHere = rest >= 0 && rest < size;
    if (isHere && rest === 0) entries.push(...changedMember(key, child, change));
    else entries.push([key, isHere ? changeAt(child, rest, change) : child]);
    rest -= size;
  }
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function changedMember(key: string, child: unknown, change: Mutation['change']): [string, unknown][] {
  if (change.kind === 'drop') return [];
  if (change.kind === 'double')
    return [
      [key, child],
      [`${key}x`, child],
    ];
  if (change.kind === 'rename') return [[change.key, child]];
  return [[key, changed(child, change)]];
}

function changed(value: unknown, change: Mutation['change']): unknown {
  switch (change.kind) {
    case 'replace':
      return change.value;
    case 'add':
      return Array.isArray(value)
        ? [...(value as unknown[]), change.value]
        : { ...Object(value), [change.key]: change.value };
    case 'wrap':
      return nest(0, change.levels, change.isList);
    case 'repeat':
      return Array.isArray(value) ? repeat(value, change.times) : value;
    case 'empty':
      return Array.isArray(value) ? [] : {};
    default:
      return value;
  }
}

/** Twice what any request may have; a text of 10,001 large items would not fit into memory here. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

function repeat(items: readonly unknown[], times: number): unknown[] {
  if (items.length === 0) return [];
  const fitting = Math.floor((MAX_CHARACTERS * items.length) / printJson(items).length);
  const length = Math.min(times, Math.max(fitting, 2));
  return Array.from({ length }, (_, index) => items[index % items.length]);
}
