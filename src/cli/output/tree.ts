export interface TreeItem<T> {
  readonly value: T;
  readonly children: readonly TreeItem<T>[];
}

export interface TreeLine<T> {
  readonly item: TreeItem<T>;
  /** 0 for a root. */
  readonly depth: number;
  /** The text before the item. */
  readonly guide: string;
  /** The text before further lines of the item. */
  readonly belowGuide: string;
}

/** Deeper items are not indented any further: their names would leave the screen. */
export const MAX_INDENT = 24;

/** One line per item, parents before children, with the box-drawing lines that join them. */
export function* treeLines<T>(roots: readonly TreeItem<T>[], maxIndent: number = MAX_INDENT): Generator<TreeLine<T>> {
  // An explicit stack: a trace may be deeper than the call stack.
  const open = roots.toReversed().map((item) => ({ item, depth: 0, before: '', isLast: true }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, depth, before, isLast } = next;
    const isIndented = depth > 0 && depth <= maxIndent;
    const branch = depth === 0 ? '' : isLast ? '└─ ' : '├─ ';
    const childBefore = isIndented ? `${before}${isLast ? '   ' : '│  '}` : before;
    const belowGuide = `${childBefore}${item.children.length > 0 ? '│  ' : '   '}`;
    yield { item, depth, guide: `${before}${branch}`, belowGuide };
    for (const [index, child] of item.children.toReversed().entries()) {
      open.push({ item: child, depth: depth + 1, before: childBefore, isLast: index === 0 });
    }
  }
}
