import type { FootKeys } from '../controls/foot/keys-foot.tsx';
import { command } from '../shell/commands.ts';
import type { KeyBinding } from '../shell/keys.ts';
import { type TreeActions, treeBindings } from '../tree/tree-keys.ts';
import type { CompareForm } from './compare-toolbar.tsx';

/** The actions of keys on the page. */
export interface CompareActions extends TreeActions {
  readonly difference: (step: 1 | -1) => void;
  readonly parent: () => void;
  readonly form: (form: CompareForm) => void;
  readonly onlyChanges: () => void;
  readonly swap: () => void;
  readonly find: () => void;
  readonly back: () => void;
}

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
    ...treeBindings('Compare', actions),
    { ...command('Compare', 'n'), run: () => actions.difference(1) },
    { ...command('Compare', 'N'), run: () => actions.difference(-1) },
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
