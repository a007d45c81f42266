import type { PairDetail } from '../answer/pair-detail.ts';
import type { PairKind } from '../answer/pair-kinds.ts';

/** The parts of a pair that can be shown below the tree. */
export type PairTab = 'code' | 'object' | 'input' | 'output' | 'numbers';

export const PAIR_TAB_NAMES: Readonly<Record<PairTab, string>> = {
  code: 'Code',
  object: 'Object',
  input: 'Input',
  output: 'Output',
  numbers: 'Numbers',
};

export function tabsOf({ code, objects }: Pick<PairDetail, 'code' | 'objects'>): readonly PairTab[] {
  return [
    ...(code === undefined ? [] : (['code'] as const)),
    ...(objects.length === 0 ? [] : (['object'] as const)),
    'input',
    'output',
    'numbers',
  ];
}

/** While a pair is read: those of the one before, so that none goes and comes, and where this one differs first. */
export function tabsOfUnread(before: readonly PairTab[], kind: PairKind): readonly PairTab[] {
  const all: readonly PairTab[] = ['code', 'object', 'input', 'output', 'numbers'];
  return all.filter((tab) => before.includes(tab) || tab === FIRST[kind] || tabsOf({ objects: [] }).includes(tab));
}

/** Where a pair differs first. */
const FIRST: Readonly<Record<PairKind, PairTab>> = {
  same: 'output',
  code: 'code',
  object: 'object',
  input: 'input',
  model: 'input',
  settings: 'input',
  output: 'output',
  only_a: 'input',
  only_b: 'input',
};

/** The tab that is asked for, if the pair has it, else the one that tells most. */
export function tabOf(tabs: readonly PairTab[], asked: string, kind: PairKind): PairTab {
  return tabs.find((tab) => tab === asked) ?? tabs.find((tab) => tab === FIRST[kind]) ?? 'input';
}
