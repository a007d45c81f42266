// Loaded into a service by `--import`: tells how long its main thread was busy at a stretch, in milliseconds of CPU of
// this thread alone, whatever else the machine does.
import { closeSync, openSync, readSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import vm from 'node:vm';
import workerThreads, { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send !== undefined) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(128);
  const cpuMs = () => Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 128, 0)).split(' ', 1)[0]) / 1e6;
  let last = cpuMs();
  let longest = 0;
  const tick = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(tick, 2).unref();

  const bodyThreads = watchThreads('spoor large bodies');
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  /** As after a while without requests: the thread for large bodies has ended, and garbage is gone. */
  const rest = async () => {
    for (const worker of bodyThreads) await worker.terminate();
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  };
  const answers = { longest: () => undefined, rest };
  process.on('message', async (message) => {
    tick();
    await answers[message]?.();
    process.send?.({ longest, heapBytes: process.memoryUsage().heapUsed });
    // What was done here is no work of the service.
    last = cpuMs();
    longest = 0;
  });
  process.channel?.unref();
  process.on('exit', () => closeSync(file));
}

/** The threads of a name that live; everybody who starts one uses the class that is put there. */
function watchThreads(name) {
  const living = new Set();
  const { Worker } = workerThreads;
  workerThreads.Worker = class extends Worker {
    constructor(program, options) {
      super(program, options);
      if (options?.name !== name) return;
      living.add(this);
      this.once('exit', () => living.delete(this));
    }
  };
  syncBuiltinESMExports();
  return living;
}
