import { BAD, GOOD } from '../../call/feedback-kinds.ts';
import type { CallRow } from '../../data/answers.ts';
import { command } from '../../shell/commands.ts';
import { type KeyBinding, useKeys } from '../../shell/keys.ts';
import { type Actions, pressInBar } from '../use-actions.tsx';
import type { Why } from '../why/use-why.ts';
import type { Going } from './use-going.ts';
import type { ShownCalls } from './use-shown-calls.ts';

export interface ListKeysOptions {
  readonly calls: ShownCalls;
  readonly going: Going;
  readonly actions: Pick<Actions, 'copy' | 'give' | 'remove'>;
  readonly why: Pick<Why, 'isOpen' | 'toggle' | 'close'>;
  /** Arrows and such are keys of the list only inside of it. */
  readonly place: HTMLElement | null;
  readonly rowPx: number;
}

/** All keys of a list. */
export function useListKeys({ calls, going, actions, why, place, rowPx }: ListKeysOptions): void {
  const { state, change, grid, rows, chosen } = calls;
  const { rowOf, step, peek, open, close } = going;
  const within = () => place;
  const pageRows = Math.max(1, Math.floor((place?.clientHeight ?? USUAL_PX) / rowPx) - 2);
  const onFocused = (run: (id: string) => void) => () => grid.focused !== undefined && run(grid.focused);
  // The bar is there for rows that are selected.
  const onChosen = (button: string) => () => chosen.length > 0 && pressInBar(button);
  useKeys('List', [
    { ...command('List', 'j'), run: () => step(1) },
    { ...command('List', 'k'), run: () => step(-1) },
    { ...command('List', 'ArrowDown'), within, run: () => step(1) },
    { ...command('List', 'ArrowUp'), within, run: () => step(-1) },
    { ...command('List', 'PageDown'), within, run: () => step(pageRows) },
    { ...command('List', 'PageUp'), within, run: () => step(-pageRows) },
    { ...command('List', 'Home'), within, run: going.home },
    { ...command('List', 'End'), within, run: () => step(rows.length) },
    { ...command('List', 'Enter'), within, run: () => withRow(rowOf(grid.focused), peek) },
    { ...command('List', 'Mod+Enter'), run: () => withRow(rowOf(state.sel) ?? rowOf(grid.focused), open) },
    { ...command('List', 'x'), isOnce: true, run: onFocused((id) => grid.toggle(id)) },
    { ...command('List', 'X'), run: onFocused((id) => grid.toggle(id, true)) },
    { ...command('List', 'd'), run: () => chosen.length === 2 && pressInBar('compare') },
    { ...command('List', 'w'), isOnce: true, run: why.toggle },
    { ...command('List', 'e'), run: onChosen('export') },
    { ...command('List', 'y'), run: () => actions.copy('link') },
    { ...command('List', 'Y'), run: onChosen('copy-as') },
    ...(chosen.length > 0 ? feedbackKeys(actions) : []),
    { ...command('List', '#'), isOnce: true, run: actions.remove },
    {
      ...command('List', 'Mod+.'),
      isEverywhere: true,
      run: () => change({ live: !state.live }),
    },
    {
      ...command('List', 'Escape'),
      run: () => {
        if (state.sel !== '') close();
        else if (why.isOpen) why.close();
        else grid.clear();
      },
    },
  ]);
}

/** Rows that are selected are meant, whatever is open beside them. */
function feedbackKeys({ give }: Pick<Actions, 'give'>): readonly KeyBinding[] {
  return [
    { ...command('List', '+'), isFirst: true, isOnce: true, run: () => give(GOOD) },
    { ...command('List', '-'), isFirst: true, isOnce: true, run: () => give(BAD) },
    { ...command('List', 'c'), isFirst: true, run: () => pressInBar('give-feedback') },
  ];
}

/** Before the list has been measured. */
const USUAL_PX = 400;

function withRow(row: CallRow | undefined, run: (row: CallRow) => void): void {
  if (row !== undefined) run(row);
}
