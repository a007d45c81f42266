import { reportProblem } from './tracer.ts';

type Action = () => void;

let finalizers: FinalizationRegistry<Action> | undefined;

/**
 * Runs `action` when nobody can use `target` any more: the last chance to end a call whose result was never used.
 * `action` must not hold `target`. `token` takes it back.
 */
export function whenForgotten(target: object, token: object, action: Action): void {
  finalizers ??= new FinalizationRegistry((due) => {
    try {
      due();
    } catch (error) {
      reportProblem('abandoned', 'Cannot end a call that nobody can end any more', error);
    }
  });
  finalizers.register(target, action, token);
}

export function stillUsed(token: object): void {
  finalizers?.unregister(token);
}
