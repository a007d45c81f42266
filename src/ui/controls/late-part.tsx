import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react';
import { Failure, LineFailure } from './failure.tsx';

/** A component whose code comes when it is first shown, or when it is said that it will be. */
export interface LatePart<Props> {
  (props: Props): ReactNode;
  /** Loads it now: it will be wanted soon. */
  readonly load: () => void;
}

/**
 * A part of the page that is loaded on its own. `Meanwhile` stands in its place until it is there; what cannot be loaded,
 * as the service is gone or is another version by now, is told with a button that loads it again.
 *
 * No `lazy` in a `Suspense`: React holds what such a boundary reveals back until 300 ms after it has shown a fallback.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): LatePart<Props> {
  return lateOf(load, Meanwhile, ({ error, onRetry }) => (
    <Failure what="This part of the page could not be loaded" error={error} onRetry={onRetry} />
  ));
}

/** A late part in a line, as of a foot, or in a narrow pane: a line is what tells that it cannot be loaded, too. */
export function lateLine<Props extends object>(load: () => Promise<ComponentType<Props>>): LatePart<Props> {
  return lateOf(load, undefined, LineFailure);
}

/** Browsers say it each in their own words, with an address that tells nobody anything. */
export function notLoaded(cause: unknown): Error {
  return new Error('the service does not answer, or is another version by now', { cause });
}

interface NotLoaded {
  readonly error: Error;
  readonly onRetry: () => void;
}

function lateOf<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile: ComponentType<Props> | undefined,
  Failed: ComponentType<NotLoaded>,
): LatePart<Props> {
  const code = new LateCode(load);
  const Late = (props: Props): ReactNode => {
    code.load();
    const state = useSyncExternalStore(code.subscribe, code.state);
    if (state instanceof Error) return <Failed error={state} onRetry={code.retry} />;
    if (state === undefined) return Meanwhile && <Meanwhile {...props} />;
    const Part = state;
    return <Part {...props} />;
  };
  return Object.assign(Late, { load: code.load });
}

/**
 * Code that is loaded once, and those who wait for it. Some browsers keep for ever that a file could not be loaded, and of
 * another version there is none of that name: what fails a second time needs the page to be loaded again.
 */
class LateCode<Props> {
  readonly #load: () => Promise<ComponentType<Props>>;
  readonly #waiting = new Set<() => void>();
  #isLoading = false;
  #failures = 0;
  #state: ComponentType<Props> | Error | undefined;

  constructor(load: () => Promise<ComponentType<Props>>) {
    this.#load = load;
  }

  readonly state = (): ComponentType<Props> | Error | undefined => this.#state;

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#waiting.add(changed);
    return () => void this.#waiting.delete(changed);
  };

  readonly load = (): void => {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#load().then(this.#settle, (reason: unknown) => this.#settle(notLoaded(reason)));
  };

  readonly retry = (): void => {
    if (this.#failures > 1) location.reload();
    else {
      this.#isLoading = false;
      this.#settle(undefined);
      this.load();
    }
  };

  readonly #settle = (state: ComponentType<Props> | Error | undefined): void => {
    if (state instanceof Error) this.#failures += 1;
    this.#state = state;
    for (const changed of this.#waiting) changed();
  };
}
