// Floor: one context that was used once, and nothing else. On some versions of Node that alone makes each await slower.
import { AsyncLocalStorage } from 'node:async_hooks';

export async function open() {
  const context = new AsyncLocalStorage();
  const within =
    (fn) =>
    (...args) =>
      context.run({}, fn, ...args);
  return { async: within, sync: within, generator: within, flush: async () => undefined };
}
