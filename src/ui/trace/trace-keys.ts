/** What keys do on the trace page. Arrows do the same as letters while the tree has the focus. */
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

export interface TraceKey {
  /** As a keyboard event names them. */
  readonly keys: readonly string[];
  readonly words: string;
  readonly run: (actions: TraceActions) => void;
}

const PAGE_LINES = 20;
const ZOOM_IN = 0.5;
const PAN = 0.2;

/** Also what the list of all keys shows. */
export const TRACE_KEYS: readonly TraceKey[] = [
  { keys: ['j', 'ArrowDown'], words: 'next line', run: (actions) => actions.move(1) },
  { keys: ['k', 'ArrowUp'], words: 'line before', run: (actions) => actions.move(-1) },
  { keys: ['PageDown'], words: 'a page down', run: (actions) => actions.move(PAGE_LINES) },
  { keys: ['PageUp'], words: 'a page up', run: (actions) => actions.move(-PAGE_LINES) },
  { keys: ['Home'], words: 'first line', run: (actions) => actions.moveTo('first') },
  { keys: ['End'], words: 'last line', run: (actions) => actions.moveTo('last') },
  { keys: ['h', 'ArrowLeft'], words: 'fold', run: (actions) => actions.fold(false, false) },
  { keys: ['l', 'ArrowRight'], words: 'unfold', run: (actions) => actions.fold(true, false) },
  { keys: ['H'], words: 'fold all below', run: (actions) => actions.fold(false, true) },
  { keys: ['L'], words: 'unfold all below', run: (actions) => actions.fold(true, true) },
  { keys: ['n'], words: 'next error', run: (actions) => actions.error(1) },
  { keys: ['N'], words: 'error before', run: (actions) => actions.error(-1) },
  { keys: ['p'], words: 'next call of the same op', run: (actions) => actions.peer(1) },
  { keys: ['P'], words: 'call of the same op before', run: (actions) => actions.peer(-1) },
  { keys: [']'], words: 'next sibling', run: (actions) => actions.sibling(1) },
  { keys: ['['], words: 'sibling before', run: (actions) => actions.sibling(-1) },
  { keys: ['.'], words: 'call that started next', run: (actions) => actions.start(1) },
  { keys: [','], words: 'call that started before', run: (actions) => actions.start(-1) },
  { keys: ['u'], words: 'parent', run: (actions) => actions.parent() },
  { keys: ['1'], words: 'tree', run: (actions) => actions.form('tree') },
  { keys: ['2'], words: 'flame', run: (actions) => actions.form('flame') },
  { keys: ['3'], words: 'heavy', run: (actions) => actions.form('heavy') },
  { keys: ['z'], words: 'zoom in', run: (actions) => actions.zoom(ZOOM_IN) },
  { keys: ['Z'], words: 'zoom out', run: (actions) => actions.zoom(1 / ZOOM_IN) },
  { keys: ['Shift+ArrowLeft'], words: 'earlier', run: (actions) => actions.pan(-PAN) },
  { keys: ['Shift+ArrowRight'], words: 'later', run: (actions) => actions.pan(PAN) },
  { keys: ['0'], words: 'fit', run: (actions) => actions.fit() },
  { keys: ['f'], words: 'zoom to the call', run: (actions) => actions.zoomToCall() },
  { keys: ['/'], words: 'find in trace', run: (actions) => actions.find() },
  { keys: ['Enter'], words: 'open the call', run: (actions) => actions.open() },
  { keys: ['Escape'], words: 'back to calls', run: (actions) => actions.back() },
];

/** The key that an event is, if it is one of the page's and not meant for a control that takes keys itself. */
export function traceKeyOf(event: KeyboardEvent): TraceKey | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesKeys(event)) return undefined;
  const isArrow = event.key.startsWith('Arrow');
  const name = isArrow && event.shiftKey ? `Shift+${event.key}` : event.key;
  return TRACE_KEYS.find(({ keys }) => keys.includes(name));
}

const NAMED_KEYS = /^(Arrow.*|Page.*|Home|End|Enter)$/;

/** Letters are for whoever is written into; named keys belong to the part that has the focus, unless it is the tree or nobody. */
function takesKeys({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"], dialog, [role="dialog"], [role="menu"]'))
    return true;
  return NAMED_KEYS.test(key) && target !== document.body && !target.closest('[role="treegrid"]');
}
