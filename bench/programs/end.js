// Makes calls and ends at once, in a given way. Writes when that was.
import { writeSync } from 'node:fs';

const { adapter, workload, calls, way, service } = JSON.parse(process.argv[2]);

const ENDS = {
  natural: () => undefined,
  sigterm() {
    // Something that goes on, as in a server.
    setInterval(() => undefined, 1000);
    process.kill(process.pid, 'SIGTERM');
  },
  error: () =>
    setImmediate(() => {
      throw new Error('The end');
    }),
  exit: () => process.exit(3),
  /** What a program does that wants to be sure. */
  flush: () => tracing.flush(),
};

const [{ open }, { prepare }] = await Promise.all([import(adapter), import(workload)]);
const tracing = await open(service);
await prepare(tracing)(calls, Infinity);
writeSync(1, `${performance.timeOrigin + performance.now()}\n`);
ENDS[way]();
