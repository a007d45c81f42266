import type { FootKeys } from '../controls/foot/keys-foot.tsx';
import { command } from '../shell/commands.ts';
import type { KeyBinding } from '../shell/keys.ts';
import { type TreeActions, treeBindings } from '../tree/tree-keys.ts';
import type { TraceForm } from './trace-address.ts';

/** The actions of keys on the trace page. */
export interface TraceActions extends TreeActions {
  readonly error: (step: 1 | -1) => void;
  readonly peer: (step: 1 | -1) => void;
  readonly sibling: (step: 1 | -1) => void;
  readonly start: (step: 1 | -1) => void;
  readonly parent: () => void;
  readonly form: (form: 'tree' | 'flame' | 'heavy') => void;
  readonly zoom: (factor: number) => void;
  readonly pan: (share: number) => void;
  readonly fit: () => void;
  readonly zoomToCall: () => void;
  readonly find: () => void;
  readonly back: () => void;
  /** Absent: there are no other traces here. */
  readonly compare: (() => void) | undefined;
  /** Absent: nothing can come. */
  readonly pause: (() => void) | undefined;
}

const ZOOM_IN = 0.5;
const PAN = 0.2;

const CHART_FOOT_KEYS: readonly FootKeys[] = [
  [['z', 'Z'], 'zoom'],
  [['Shift+ArrowLeft', 'Shift+ArrowRight'], 'pan'],
  [['f'], 'zoom to call'],
  [['0'], 'fit'],
  [['n'], 'next error'],
  [['p'], 'same op'],
];

/** In the foot of the page, by what is shown. */
export const FOOT_KEYS: Readonly<Record<TraceForm, readonly FootKeys[]>> = {
  tree: [
    [['j', 'k'], 'move'],
    [['h', 'l'], 'fold'],
    [['n'], 'next error'],
    [['p'], 'same op'],
    [['f'], 'zoom to call'],
  ],
  flame: CHART_FOOT_KEYS,
  heavy: CHART_FOOT_KEYS,
};

/** Keys that work wherever the focus is. */
export function traceBindings(actions: TraceActions): readonly KeyBinding[] {
  return [
    ...treeBindings('Trace', actions),
    { ...command('Trace', 'n'), run: () => actions.error(1) },
    { ...command('Trace', 'N'), run: () => actions.error(-1) },
    { ...command('Trace', 'p'), run: () => actions.peer(1) },
    { ...command('Trace', 'P'), run: () => actions.peer(-1) },
    { ...command('Trace', ']'), run: () => actions.sibling(1) },
    { ...command('Trace', '['), run: () => actions.sibling(-1) },
    { ...command('Trace', '.'), run: () => actions.start(1) },
    { ...command('Trace', ','), run: () => actions.start(-1) },
    { ...command('Trace', 'u'), run: actions.parent },
    { ...command('Trace', '1'), run: () => actions.form('tree') },
    { ...command('Trace', '2'), run: () => actions.form('flame') },
    { ...command('Trace', '3'), run: () => actions.form('heavy') },
    { ...command('Trace', 'z'), run: () => actions.zoom(ZOOM_IN) },
    { ...command('Trace', 'Z'), run: () => actions.zoom(1 / ZOOM_IN) },
    { ...command('Trace', 'Shift+ArrowLeft'), run: () => actions.pan(-PAN) },
    { ...command('Trace', 'Shift+ArrowRight'), run: () => actions.pan(PAN) },
    { ...command('Trace', '0'), run: actions.fit },
    { ...command('Trace', 'f'), run: actions.zoomToCall },
    ...(actions.compare === undefined ? [] : [{ ...command('Trace', 'd'), run: actions.compare }]),
    { ...command('Trace', '/'), run: actions.find },
    ...(actions.pause === undefined ? [] : [{ ...command('Trace', 'Mod+.'), isEverywhere: true, run: actions.pause }]),
    { ...command('Trace', 'Escape'), run: actions.back },
  ];
}
