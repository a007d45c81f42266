// Loaded into a service by `--import`: tells how long its main thread was busy at a stretch, in milliseconds of CPU.
import { closeSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

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
  process.on('message', () => {
    tick();
    process.send?.({ longest });
    longest = 0;
  });
  process.channel?.unref();
  process.on('exit', () => closeSync(file));
}
