import { notKeptAt } from './cut-mark.ts';
import { childrenOf, type JsonChild, type JsonNode } from './json-node.ts';
import { fileMarkerAt } from './stored-file.ts';

/** Larger lists are shown in groups of this many, so that opening one is never a matter of a million rows. */
export const GROUP_SIZE = 1000;

/** "Expand all" stops at this many rows and says how much is still folded. */
export const MAX_EXPANDED_ROWS = 2000;

/** A row of the tree: a value, or a group of the items of a long one. */
export interface JsonRow {
  /** Tells rows apart, also after others were opened above. */
  readonly id: string;
  readonly depth: number;
  readonly node: JsonNode;
  readonly key: string | undefined;
  /** Place among its siblings, and how many they are, counted from 1. */
  readonly position: number;
  readonly siblings: number;
  /** First and last index of a group. */
  readonly group: readonly [number, number] | undefined;
  readonly isOpen: boolean;
  /** Is it the bracket that closes what was opened above? */
  readonly isEnd: boolean;
  readonly path: readonly PathStep[];
}

export type PathStep = string | number;

/**
 * The rows of a value with some of its parts opened. Children are looked for when something is opened and kept from then
 * on, so that a value of any size costs what is seen of it.
 */
export class JsonRows {
  readonly text: string;
  readonly root: JsonNode;
  readonly #children = new Map<number, readonly JsonChild[]>();

  constructor(text: string, root: JsonNode) {
    this.text = text;
    this.root = root;
  }

  /** The row that is opened when nobody has opened anything. */
  get rootId(): string {
    return idOf(this.root);
  }

  childrenOf(node: JsonNode): readonly JsonChild[] {
    const known = this.#children.get(node.start);
    if (known !== undefined) return known;
    const found = node.kind === 'object' || node.kind === 'array' ? childrenOf(this.text, node) : [];
    this.#children.set(node.start, found);
    return found;
  }

  /** All rows in order of the text. */
  rowsOf(opened: ReadonlySet<string>): JsonRow[] {
    const rows: JsonRow[] = [];
    const pending: (Pending | JsonRow)[] = [this.#first()];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const row = 'isEnd' in next ? next : this.#rowOf(next, opened);
      rows.push(row);
      if (!row.isOpen || row.isEnd) continue;
      if (row.group === undefined) pending.push({ ...row, isEnd: true });
      for (const child of this.#below(row).toReversed()) pending.push(child);
    }
    return rows;
  }

  /** Opens everything below a row, level by level, until there are too many rows. */
  openAll(from: Pending, opened: ReadonlySet<string>, maxRows = MAX_EXPANDED_ROWS): OpenedRows {
    const all = new Set(opened);
    let level: readonly Pending[] = [from];
    let count = 0;
    while (level.length > 0) {
      const next: Pending[] = [];
      for (const pending of level) {
        const row = this.#rowOf(pending, new Set([keyOf(pending)]));
        if (!isFoldable(row, this) || this.#isWhole(row)) continue;
        const below = this.#below(row);
        if (count + below.length > maxRows) return { opened: all, isWhole: false };
        count += below.length;
        all.add(row.id);
        next.push(...below);
      }
      level = next;
    }
    return { opened: all, isWhole: true };
  }

  /** The rows that have to be open for the value at an offset to be seen, and the row that shows it. */
  wayTo(offset: number): { readonly open: readonly string[]; readonly id: string } {
    const open: string[] = [];
    let at = this.#rowOf(this.#first(), NONE);
    for (;;) {
      const below = this.#below({ ...at, isOpen: true });
      const next = below.find((each) => isWithin(each, offset, this));
      if (next === undefined) return { open, id: at.id };
      open.push(at.id);
      at = this.#rowOf(next, NONE);
    }
  }

  /** Opens of the whole value what fits on a screen. */
  openFew(maxRows: number): ReadonlySet<string> {
    return this.openAll(this.#first(), new Set([this.rootId]), maxRows).opened;
  }

  /** A value that stands for a file, or was not kept, is shown as that; its members are seen when it is opened by itself. */
  #isWhole({ node, group }: JsonRow): boolean {
    return group === undefined && standsForMore(this.text, node);
  }

  #first(): Pending {
    return { node: this.root, depth: 0, key: undefined, position: 1, siblings: 1, path: [] };
  }

  #rowOf(pending: Pending, opened: ReadonlySet<string>): JsonRow {
    const id = keyOf(pending);
    const { depth, node, key, position, siblings, path, group } = pending;
    return { id, depth, node, key, position, siblings, path, group, isOpen: opened.has(id), isEnd: false };
  }

  #below({ node, depth, path, group }: JsonRow): Pending[] {
    const children = this.childrenOf(node);
    if (group === undefined && children.length > GROUP_SIZE) return groupsOf(node, children.length, depth + 1, path);
    const [from, to] = group ?? [0, children.length - 1];
    return children.slice(from, to + 1).map((child) => ({
      node: child,
      depth: depth + 1,
      key: child.key,
      position: child.index + 1,
      siblings: children.length,
      path: [...path, child.key ?? child.index],
    }));
  }
}

export interface OpenedRows {
  readonly opened: ReadonlySet<string>;
  /** Is everything open now? */
  readonly isWhole: boolean;
}

const NONE: ReadonlySet<string> = new Set();

interface Pending {
  readonly node: JsonNode;
  readonly depth: number;
  readonly key: string | undefined;
  readonly position: number;
  readonly siblings: number;
  readonly path: readonly PathStep[];
  readonly group?: readonly [number, number] | undefined;
}

function keyOf({ node, group }: Pick<Pending, 'node' | 'group'>): string {
  return group === undefined ? idOf(node) : `${idOf(node)}/${group[0]}`;
}

function idOf(node: JsonNode): string {
  return String(node.start);
}

function groupsOf(node: JsonNode, count: number, depth: number, path: readonly PathStep[]): Pending[] {
  const siblings = Math.ceil(count / GROUP_SIZE);
  return Array.from({ length: siblings }, (_none, index) => {
    const group = [index * GROUP_SIZE, Math.min(count, (index + 1) * GROUP_SIZE) - 1] as const;
    return { node, depth, key: undefined, position: index + 1, siblings, path, group };
  });
}

/** Is a value shown as what it stands for: a file, or something that was not kept? */
export function standsForMore(text: string, node: JsonNode): boolean {
  return notKeptAt(text, node) !== undefined || fileMarkerAt(text, node) !== undefined;
}

/** Is there something to open? */
export function isFoldable(row: Pick<JsonRow, 'node' | 'group'>, rows: JsonRows): boolean {
  return row.group !== undefined || rows.childrenOf(row.node).length > 0;
}

function isWithin({ node, group }: Pending, offset: number, rows: JsonRows): boolean {
  if (group === undefined) return offset >= fromOf(node) && offset < node.end;
  const children = rows.childrenOf(node);
  const [first, last] = [children[group[0]] ?? node, children[group[1]] ?? node];
  return offset >= fromOf(first) && offset < last.end;
}

/** A name belongs to its value. */
function fromOf(node: JsonNode | JsonChild): number {
  return 'from' in node ? node.from : node.start;
}
