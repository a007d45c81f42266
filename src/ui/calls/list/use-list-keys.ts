import { BAD, GOOD } from '../../call/feedback-kinds.ts';
import type { CallRow } from '../../data/answers.ts';
import { type KeyBinding, useKeys } from '../../shell/keys.ts';
import { type Actions, pressInBar } from '../use-actions.tsx';
import type { Going } from './use-going.ts';
import type { ShownCalls } from './use-shown-calls.ts';

export interface ListKeysOptions {
  readonly calls: ShownCalls;
  readonly going: Going;
  readonly actions: Pick<Actions, 'copy' | 'give' | 'remove'>;
  /** Arrows and such are keys of the list only inside of it. */
  readonly place: HTMLElement | null;
  readonly rowPx: number;
}

/** All keys of a list. */
export function useListKeys({ calls, going, actions, place, rowPx }: ListKeysOptions): void {
  const { state, change, grid, rows, chosen } = calls;
  const { rowOf, step, peek, open, close } = going;
  const within = () => place;
  const pageRows = Math.max(1, Math.floor((place?.clientHeight ?? USUAL_PX) / rowPx) - 2);
  const onFocused = (run: (id: string) => void) => () => grid.focused !== undefined && run(grid.focused);
  useKeys('List', [
    { keys: ['j'], label: 'Next', run: () => step(1) },
    { keys: ['k'], label: 'Previous', run: () => step(-1) },
    { keys: ['ArrowDown'], label: 'Next row', within, run: () => step(1) },
    { keys: ['ArrowUp'], label: 'Previous row', within, run: () => step(-1) },
    { keys: ['PageDown'], label: 'Page down', within, run: () => step(pageRows) },
    { keys: ['PageUp'], label: 'Page up', within, run: () => step(-pageRows) },
    { keys: ['Home'], label: 'First', within, run: going.home },
    { keys: ['End'], label: 'Last that is loaded', within, run: () => step(rows.length) },
    { keys: ['Enter'], label: 'Look at the call', within, run: () => withRow(rowOf(grid.focused), peek) },
    { keys: ['Mod+Enter'], label: 'Open its trace', run: () => withRow(rowOf(state.sel) ?? rowOf(grid.focused), open) },
    { keys: ['x'], label: 'Select', isOnce: true, run: onFocused((id) => grid.toggle(id)) },
    { keys: ['X'], label: 'Select up to here', run: onFocused((id) => grid.toggle(id, true)) },
    { keys: ['e'], label: 'Export', run: () => pressInBar('export') },
    { keys: ['y'], label: 'Copy link', run: () => actions.copy('link') },
    { keys: ['Y'], label: 'Copy as…', run: () => pressInBar('copy-as') },
    ...(chosen.length > 0 ? feedbackKeys(actions) : []),
    { keys: ['#'], label: 'Delete', isOnce: true, run: actions.remove },
    {
      keys: ['Mod+.'],
      label: 'Pause or go on',
      isEverywhere: true,
      run: () => change({ live: !state.live }),
    },
    {
      keys: ['Escape'],
      label: 'Close, or clear the selection',
      run: () => (state.sel === '' ? grid.clear() : close()),
    },
  ]);
}

/** Rows that are selected are meant, whatever is open beside them. */
function feedbackKeys({ give }: Pick<Actions, 'give'>): readonly KeyBinding[] {
  return [
    { keys: ['+'], label: 'Good', isFirst: true, isOnce: true, run: () => give(GOOD) },
    { keys: ['-'], label: 'Bad', isFirst: true, isOnce: true, run: () => give(BAD) },
    { keys: ['c'], label: 'Feedback', isFirst: true, run: () => pressInBar('give-feedback') },
  ];
}

/** Before the list has been measured. */
const USUAL_PX = 400;

function withRow(row: CallRow | undefined, run: (row: CallRow) => void): void {
  if (row !== undefined) run(row);
}
