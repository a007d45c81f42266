import type { Worker } from 'node:worker_threads';
import { builtin } from '../../host/builtin.ts';
import { inject, type InjectOptions } from './carrier.ts';
import { CARRIER } from './thread-carrier.ts';
import { reportProblem } from '../record/tracer.ts';

type WorkerClass = typeof Worker;

/**
 * Starts every worker thread with the context of the call that starts it. No channel tells of a thread in time, so the
 * class is replaced by a proxy. Returns a function that ends it.
 */
export function watchWorkerThreads(attributes: InjectOptions['attributes']): () => void {
  const threads = builtin('node:worker_threads');
  const { syncBuiltinESMExports } = builtin('node:module');
  const original = threads.Worker;
  let isOn = true;
  const proxy: WorkerClass = new Proxy(original, {
    construct(target, args: unknown[], newTarget): object {
      const construct = () => Reflect.construct(target, args, newTarget === proxy ? target : newTarget) as object;
      return isOn ? withCarrier(threads, attributes ?? false, construct) : construct();
    },
  });
  threads.Worker = proxy;
  syncBuiltinESMExports();
  return () => {
    isOn = false;
    // Somebody may have replaced it since.
    if (threads.Worker === proxy) threads.Worker = original;
    syncBuiltinESMExports();
  };
}

interface Threads {
  setEnvironmentData(key: string, value?: object): void;
  getEnvironmentData(key: string): unknown;
}

/** A thread takes a copy of these data while it is made. */
function withCarrier<Made>(threads: Threads, attributes: boolean | readonly string[], make: () => Made): Made {
  const outer = threads.getEnvironmentData(CARRIER);
  const change = (carrier: unknown) => {
    try {
      threads.setEnvironmentData(CARRIER, carrier as object | undefined);
    } catch (error) {
      reportProblem('propagate', 'Cannot add the context to a thread', error);
    }
  };
  change({ ...inject({}, { attributes }) });
  try {
    return make();
  } finally {
    change(outer);
  }
}
