import { registry } from './propagation/registry.ts';
import { reportOfLibrary, reportProblem } from './record/tracer.ts';

/** How a library came under capture: the hook for `import`, the one for `require`, or a wrapper called by hand. */
export type CaptureHook = 'import' | 'require' | 'wrap';

/** A library, or a module of the program, that is recorded without being touched, or one that should have been. */
export interface CapturedLibrary {
  /** Its package, or the file of the module. */
  readonly library: string;
  /** `undefined` where the library does not say it. */
  readonly version: string | undefined;
  readonly hook: CaptureHook;
  /**
   * `captured`; `untested`: captured, though the version is none that this package was tested with; `changed`: what the
   * hook looks for is not all there; `partial`: some exports of a module cannot be wrapped; `too-early`: the program got
   * the library past the hook.
   */
  readonly state: 'captured' | 'untested' | 'changed' | 'partial' | 'too-early';
  /** The names of its recorded ops. */
  readonly ops: readonly string[];
  /** A hint on a state other than `captured`. */
  readonly message?: string;
}

/** The captures that all copies of this package in a process share, so that exactly one layer records a request. */
export interface Captures {
  readonly libraries: CapturedLibrary[];
  /** Methods that record; one of these is never put over another. */
  readonly methods: WeakSet<Function>;
  /** Calls of these methods: what stands below is the same request. */
  readonly calls: WeakSet<object>;
  /** Those, and calls of libraries above them, that are a request to a model: what any library does below is the same one. */
  readonly requests: WeakSet<object>;
}

export const captures: Captures = (registry.captures ??= {
  libraries: [],
  methods: new WeakSet(),
  calls: new WeakSet(),
  requests: new WeakSet(),
});

/** Notes what was captured, for `stats()`; what was not is told to the user, too. */
export function noteCapture(captured: CapturedLibrary): void {
  if (captures.libraries.some((known) => isSame(known, captured))) return;
  captures.libraries.push(captured);
  const { library, state, message } = captured;
  if (message === undefined || state === 'untested') return;
  const failed = `Cannot capture all of "${library}"`;
  // Of a program all modules may be like that; `stats()` has each.
  if (state === 'partial') reportProblem('capture-partial', failed, message);
  else reportOfLibrary(`capture-${state}`, library, failed, message);
}

/** A second client of the same copy of a library is no news. */
function isSame(one: CapturedLibrary, other: CapturedLibrary): boolean {
  const keys = ['library', 'version', 'hook', 'state', 'message'] as const;
  return keys.every((key) => one[key] === other[key]);
}
