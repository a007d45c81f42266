import type { ComparedCall } from '../../../reader/compare/comparison.ts';
import { kindOf } from '../../../reader/compare/origins.ts';
import type { TreeItem } from '../tree.ts';

/** A call, or several in a row that are the same on both sides. */
export type ComparedRow =
  | { readonly call: ComparedCall; readonly below: number }
  | {
      readonly call: undefined;
      readonly count: number;
      /** Of these, how many were recorded in part. */
      readonly cut: number;
    };

interface RowItem extends TreeItem<ComparedRow> {
  readonly children: RowItem[];
}

/** The calls as a tree. Without `isAll`, those that are the same with all below them are one row where they stand in a row. */
export function comparedTree(calls: readonly ComparedCall[], isAll: boolean): RowItem[] {
  const sizes = sizesOf(calls);
  const roots: RowItem[] = [];
  const items: (RowItem | undefined)[] = [];
  for (const [index, call] of calls.entries()) {
    const parent = call.parent === null ? undefined : items[call.parent];
    // The one above stands for it.
    if (call.parent !== null && parent === undefined) continue;
    const siblings = parent?.children ?? roots;
    const { all = 1, differing = 0, cut = 0 } = sizes[index] ?? {};
    if (!isAll && differing === 0) {
      addAlike(siblings, all, cut);
      continue;
    }
    const isOneSided = call.a === null || call.b === null;
    const item = { value: { call, below: isOneSided && !isAll ? all - 1 : 0 }, children: [] };
    siblings.push(item);
    if (!isOneSided || isAll) items[index] = item;
  }
  return roots;
}

function addAlike(siblings: RowItem[], count: number, cut: number): void {
  const last = siblings.at(-1)?.value;
  const before = last !== undefined && last.call === undefined ? last : undefined;
  if (before !== undefined) siblings.pop();
  const value = { call: undefined, count: (before?.count ?? 0) + count, cut: (before?.cut ?? 0) + cut };
  siblings.push({ value, children: [] });
}

interface Size {
  readonly all: number;
  readonly differing: number;
  readonly cut: number;
}

/** Of each call with all below it. */
function sizesOf(calls: readonly ComparedCall[]): Size[] {
  const sizes = calls.map((call) => ({
    all: 1,
    differing: Number(kindOf(call) !== undefined),
    cut: Number(call.isCut),
  }));
  for (let index = calls.length - 1; index >= 0; index--) {
    const [own, parent] = [sizes[index], calls[index]?.parent];
    const above = parent == null ? undefined : sizes[parent];
    if (own === undefined || above === undefined) continue;
    above.all += own.all;
    above.differing += own.differing;
    above.cut += own.cut;
  }
  return sizes;
}
