import { reportProblem } from './tracer.ts';

type Action = () => void;

let finalizers: FinalizationRegistry<Watch> | undefined;

/** The wait for somebody to lose an object. */
export class Watch {
  /** Gone when nobody waits any more: the registry lets go of this only when the collector goes through all memory. */
  #action: Action | undefined;

  constructor(action: Action) {
    this.#action = action;
  }

  stop(): void {
    this.#action = undefined;
    finalizers?.unregister(this);
  }

  run(): void {
    try {
      this.#action?.();
    } catch (error) {
      reportProblem('abandoned', 'Cannot end a call that nobody can end any more', error);
    }
  }
}

/**
 * Runs `action` when nobody can use `target` any more: the last chance to end a call whose result was never used.
 * `action` must not hold `target`.
 */
export function whenForgotten(target: object, action: Action): Watch {
  finalizers ??= new FinalizationRegistry((watch) => watch.run());
  const watch = new Watch(action);
  finalizers.register(target, watch, watch);
  return watch;
}
