import type { Frame } from './frame.ts';
import { readCarrier } from './read-carrier.ts';
import { registry } from './registry.ts';
import { threadCarrier } from './thread-carrier.ts';

let read: { readonly frame: Frame | undefined } | undefined;

/**
 * The frame around everything in this process: the call that started this thread, or the process, when that left
 * `TRACEPARENT`, `TRACESTATE` and `BAGGAGE` in the environment.
 */
export function outermostFrame(): Frame | undefined {
  read ??= { frame: readCarrier(threadCarrier() ?? process.env, undefined) };
  return read.frame;
}

/** Where the running function stands. */
export function currentFrame(): Frame | undefined {
  return registry.context.getStore() ?? outermostFrame();
}
