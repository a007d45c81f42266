import { reportProblem } from '../../tracing/record/tracer.ts';

/** The program does not depend on the bridge, and calls are recorded without it. */
export function guarded<Result>(action: () => Result): Result | undefined;
export function guarded<Result>(action: () => Result, otherwise: Result): Result;
export function guarded<Result>(action: () => Result, otherwise?: Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    reportProblem('open-telemetry', 'Cannot keep spans and calls together', error);
    return otherwise;
  }
}
