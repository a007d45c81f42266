import type { KeyBinding } from '../shell/keys.ts';

/** The actions of keys on the trace page. */
export interface TraceActions {
  readonly move: (lines: number) => void;
  readonly moveTo: (end: 'first' | 'last') => void;
  readonly fold: (isOpen: boolean, isDeep: boolean) => void;
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
  readonly open: () => void;
}

const PAGE_LINES = 20;
const ZOOM_IN = 0.5;
const PAN = 0.2;

/** Keys that work wherever the focus is. */
export function traceBindings(actions: TraceActions): readonly KeyBinding[] {
  return [
    { keys: ['j'], label: 'Next line', run: () => actions.move(1) },
    { keys: ['k'], label: 'Line before', run: () => actions.move(-1) },
    { keys: ['h'], label: 'Fold', run: () => actions.fold(false, false) },
    { keys: ['l'], label: 'Unfold', run: () => actions.fold(true, false) },
    { keys: ['H'], label: 'Fold all below', run: () => actions.fold(false, true) },
    { keys: ['L'], label: 'Unfold all below', run: () => actions.fold(true, true) },
    { keys: ['n'], label: 'Next error', run: () => actions.error(1) },
    { keys: ['N'], label: 'Error before', run: () => actions.error(-1) },
    { keys: ['p'], label: 'Next call of the same op', run: () => actions.peer(1) },
    { keys: ['P'], label: 'Call of the same op before', run: () => actions.peer(-1) },
    { keys: [']'], label: 'Next sibling', run: () => actions.sibling(1) },
    { keys: ['['], label: 'Sibling before', run: () => actions.sibling(-1) },
    { keys: ['.'], label: 'Call that started next', run: () => actions.start(1) },
    { keys: [','], label: 'Call that started before', run: () => actions.start(-1) },
    { keys: ['u'], label: 'Parent', run: actions.parent },
    { keys: ['1'], label: 'Tree', run: () => actions.form('tree') },
    { keys: ['2'], label: 'Flame', run: () => actions.form('flame') },
    { keys: ['3'], label: 'Heavy', run: () => actions.form('heavy') },
    { keys: ['z'], label: 'Zoom in', run: () => actions.zoom(ZOOM_IN) },
    { keys: ['Z'], label: 'Zoom out', run: () => actions.zoom(1 / ZOOM_IN) },
    { keys: ['Shift+ArrowLeft'], label: 'Earlier', run: () => actions.pan(-PAN) },
    { keys: ['Shift+ArrowRight'], label: 'Later', run: () => actions.pan(PAN) },
    { keys: ['0'], label: 'Fit', run: actions.fit },
    { keys: ['f'], label: 'Zoom to the call', run: actions.zoomToCall },
    { keys: ['/'], label: 'Find in trace', run: actions.find },
    { keys: ['Escape'], label: 'Back to calls', run: actions.back },
  ];
}

/** Keys of the tree while it has the focus: as lists and trees have them everywhere. False: it is none of them. */
export function runTreeKey(key: string, actions: TraceActions): boolean {
  const run = TREE_KEYS[key];
  run?.(actions);
  return run !== undefined;
}

const TREE_KEYS: Readonly<Record<string, (actions: TraceActions) => void>> = {
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
