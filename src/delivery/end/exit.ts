// docs/decisions/0016-delivery-at-exit.md says why.
import { performance } from '../../host/clock.ts';
import type { Flushable } from './flushable.ts';
import { NaturalEnd } from './natural-end.ts';
import { deliverAtSignals } from './signal-end.ts';

const EXIT_MS = 2000;

/**
 * Delivers what is left when the process ends, without changing how it ends: same exit code, same signal, and the
 * application's own handlers decide where there are any. Returns a function that takes the handlers away.
 */
export function deliverAtExit(delivery: Flushable): () => void {
  const naturalEnd = new NaturalEnd(delivery);
  const onExit = () => delivery.end({ deliverMs: Math.min(naturalEnd.restMs ?? EXIT_MS, exitRestMs()) });
  // Also the way of `process.exit()` and of an uncaught error.
  process.on('exit', onExit);
  // Who begins in a handler of `exit` adds his own too late.
  if (isExiting()) delivery.end({ deliverMs: 0 });
  const stopSignals = deliverAtSignals(delivery);
  return () => {
    naturalEnd.stop();
    process.off('exit', onExit);
    stopSignals();
  };
}

/** A client that is shutting down and its successor may both have something to deliver, in the same time. */
let exitDeadline: number | undefined;

function exitRestMs(): number {
  exitDeadline ??= performance.now() + EXIT_MS;
  return Math.max(0, exitDeadline - performance.now());
}

/** `_exiting` is what Node itself goes by, in all versions. */
function isExiting(): boolean {
  return Reflect.get(process, '_exiting') === true;
}
