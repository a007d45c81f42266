import { command } from '../shell/commands.ts';
import type { KeyBinding } from '../shell/keys.ts';

/** The actions of keys in a tree. */
export interface TreeActions {
  readonly move: (lines: number) => void;
  readonly moveTo: (end: 'first' | 'last') => void;
  readonly fold: (isOpen: boolean, isDeep: boolean) => void;
  /** Leads to what shows the selected line. */
  readonly open: () => void;
}

/** Keys of the page around a tree, which work wherever the focus is. */
export function treeBindings(part: 'Trace' | 'Compare', { move, fold }: TreeActions): readonly KeyBinding[] {
  return [
    { ...command(part, 'j'), run: () => move(1) },
    { ...command(part, 'k'), run: () => move(-1) },
    { ...command(part, 'h'), run: () => fold(false, false) },
    { ...command(part, 'l'), run: () => fold(true, false) },
    { ...command(part, 'H'), run: () => fold(false, true) },
    { ...command(part, 'L'), run: () => fold(true, true) },
  ];
}

/** Keys of a tree while it has the focus: as lists and trees have them everywhere. False: it is none of them. */
export function runTreeKey(key: string, actions: TreeActions, pageRows: number): boolean {
  const run = TREE_KEYS[key];
  run?.(actions, pageRows);
  return run !== undefined;
}

const TREE_KEYS: Readonly<Record<string, (actions: TreeActions, pageRows: number) => void>> = {
  ArrowDown: ({ move }) => move(1),
  ArrowUp: ({ move }) => move(-1),
  ArrowLeft: ({ fold }) => fold(false, false),
  ArrowRight: ({ fold }) => fold(true, false),
  PageDown: ({ move }, pageRows) => move(pageRows),
  PageUp: ({ move }, pageRows) => move(-pageRows),
  Home: ({ moveTo }) => moveTo('first'),
  End: ({ moveTo }) => moveTo('last'),
  Enter: ({ open }) => open(),
};
