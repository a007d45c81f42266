import { reportProblem } from '../record/tracer.ts';

type Action = () => void;

let finalizers: FinalizationRegistry<Watch> | undefined;

/** Those that go on. The registry holds each of them anyway. */
const open = new Set<Watch>();

/** The wait for somebody to lose an object, which the end of the process is too. */
export class Watch {
  /** Gone when nobody waits any more: the registry lets go of this only when the collector goes through all memory. */
  #action: Action | undefined;

  constructor(action: Action) {
    this.#action = action;
  }

  stop(): void {
    open.delete(this);
    this.#action = undefined;
    finalizers?.unregister(this);
  }

  run(): void {
    open.delete(this);
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
  finalizers ??= startWatching();
  const watch = new Watch(action);
  open.add(watch);
  finalizers.register(target, watch, watch);
  return watch;
}

/** At the end of a process nobody can use anything any more. */
export function endAbandoned(): void {
  for (const watch of open) watch.run();
}

function startWatching(): FinalizationRegistry<Watch> {
  // Before the handler of the client, which delivers what there is at the end.
  process.prependListener('exit', endAbandoned);
  return new FinalizationRegistry((watch) => watch.run());
}
