// docs/decisions/0014-context-goes-on-when-asked.md says why.
import { watchChildProcesses } from './child-processes.ts';
import { continueIncomingRequests } from './incoming-http.ts';
import { outgoingWriter, type OutgoingOptions } from './outgoing-fields.ts';
import { watchHttpRequests } from './outgoing-http.ts';
import { watchUndiciRequests } from './outgoing-undici.ts';
import { reportProblem } from '../record/tracer.ts';
import { watchWorkerThreads } from './worker-threads.ts';

export interface PropagationOptions {
  /** `undefined`: requests of this process say nothing, and what it starts is told nothing. */
  readonly outgoing: OutgoingOptions | undefined;
  /** Do handlers of requests run below the call that the request names? */
  readonly isContinuing: boolean;
}

/** Carries the context to other services, processes and threads without `inject` and `extract`. Returns a function that ends it. */
export function startPropagation({ outgoing, isContinuing }: PropagationOptions): () => void {
  const stops: ((() => void) | undefined)[] = [];
  if (outgoing !== undefined) {
    const { attributes } = outgoing;
    const write = outgoingWriter(outgoing);
    stops.push(
      attempt(() => watchUndiciRequests(write)),
      attempt(() => watchHttpRequests(write)),
      attempt(() => watchChildProcesses(attributes)),
      attempt(() => watchWorkerThreads(attributes)),
    );
  }
  if (isContinuing) stops.push(attempt(continueIncomingRequests));
  return () => {
    for (const stop of stops) attempt(() => stop?.());
  };
}

/** Somebody may have frozen what is replaced. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    reportProblem('propagate', 'Cannot carry the context everywhere', error);
    return undefined;
  }
}
