import type { FootKeys } from '../controls/foot/keys-foot.tsx';
import { command } from '../shell/commands.ts';
import type { KeyBinding } from '../shell/keys.ts';
import type { CompareForm } from './compare-toolbar.tsx';

/** The actions of keys on the page. */
export interface CompareActions {
  readonly move: (lines: number) => void;
  readonly moveTo: (end: 'first' | 'last') => void;
  readonly fold: (isOpen: boolean, isDeep: boolean) => void;
  readonly difference: (step: 1 | -1) => void;
  readonly parent: () => void;
  readonly form: (form: CompareForm) => void;
  readonly onlyChanges: () => void;
  readonly swap: () => void;
  readonly find: () => void;
  readonly open: () => void;
  readonly back: () => void;
}

const PAGE_LINES = 12;

/** In the foot of the page. */
export const FOOT_KEYS: readonly FootKeys[] = [
  [['n', 'N'], 'difference'],
  [['j', 'k'], 'rows'],
  [['h', 'l'], 'fold'],
  [['o'], 'only changes'],
  [['x'], 'swap'],
];

/** Keys that work wherever the focus is. */
export function compareBindings(actions: CompareActions): readonly KeyBinding[] {
  return [
    { ...command('Compare', 'j'), run: () => actions.move(1) },
    { ...command('Compare', 'k'), run: () => actions.move(-1) },
    { ...command('Compare', 'n'), run: () => actions.difference(1) },
    { ...command('Compare', 'N'), run: () => actions.difference(-1) },
    { ...command('Compare', 'h'), run: () => actions.fold(false, false) },
    { ...command('Compare', 'l'), run: () => actions.fold(true, false) },
    { ...command('Compare', 'H'), run: () => actions.fold(false, true) },
    { ...command('Compare', 'L'), run: () => actions.fold(true, true) },
    { ...command('Compare', 'u'), run: actions.parent },
    { ...command('Compare', '1'), run: () => actions.form('tree') },
    { ...command('Compare', '2'), run: () => actions.form('io') },
    { ...command('Compare', '3'), run: () => actions.form('code') },
    { ...command('Compare', '4'), run: () => actions.form('stats') },
    { ...command('Compare', 'o'), run: actions.onlyChanges },
    { ...command('Compare', 'x'), run: actions.swap },
    { ...command('Compare', '/'), run: actions.find },
    { ...command('Compare', 'Escape'), run: actions.back },
  ];
}

/** Keys of the tree while it has the focus: as lists and trees have them everywhere. False: it is none of them. */
export function runTreeKey(key: string, actions: CompareActions): boolean {
  const run = TREE_KEYS[key];
  run?.(actions);
  return run !== undefined;
}

const TREE_KEYS: Readonly<Record<string, (actions: CompareActions) => void>> = {
  ArrowDown: (actions) => actions.move(1),
  ArrowUp: (actions) => actions.move(-1),
  ArrowLeft: (actions) => actions.fold(false, false),
  ArrowRight: (actions) => actions.fold(true, false),
  PageDown: (actions) => actions.move(PAGE_LINES),
  PageUp: (actions) => actions.move(-PAGE_LINES),
  Home: (actions) => actions.moveTo('first'),
  End: (actions) => actions.moveTo('last'),
  Enter: (actions) => actions.open(),
};
