// Measures one library on one workload: the functions bare, then traced by the library, in one process. The library is
// loaded only when the bare loop is done, as some make everything slower from then on. Sends what it found.
import { flushWithin, tell, tellSkipped } from './tell.js';

const { adapter, workload, calls, limitMs, service } = JSON.parse(process.argv[2]);

const { open: leaveBare } = await import('../adapters/bare.js');
const { prepare, warmUp, kind = 'async', callsPerStep = 1 } = await import(workload);

// Bare calls take next to nothing, so more of them are needed to tell how little.
const bare = await measure(await leaveBare(), 4 * calls);
const { open } = await import(adapter);
const tracing = await open(service);
const reason = tracing.unsupported?.[kind];
if (reason !== undefined) tellSkipped(reason);
const traced = await measure(tracing, calls);

const added = (name) => ((traced[name] - bare[name]) * 1000) / callsPerStep;
tell({
  calls: traced.emitted * callsPerStep,
  figures: {
    bareUs: (bare.wallMs * 1000) / callsPerStep,
    addedUs: added('wallMs'),
    ownTurnUs: added('ownMs'),
    cpuUs: added('cpuMs'),
    callsPerSec: (1000 / traced.deliveredMs) * callsPerStep,
    peakRssMb: process.resourceUsage().maxRSS / 1000,
  },
});

/** Milliseconds per step. */
async function measure({ flush, ...wraps }, count) {
  const run = prepare(wraps);
  const warm = await run(warmUp, performance.now() + limitMs);
  await flushWithin(flush);
  const startedAt = performance.now();
  const before = process.cpuUsage();
  const { calls: done, wallMs, ownMs } = await run(count, startedAt + limitMs);
  await flushWithin(flush);
  const { user, system } = process.cpuUsage(before);
  const deliveredMs = performance.now() - startedAt;
  return {
    emitted: warm.calls + done,
    wallMs: wallMs / done,
    ownMs: ownMs / done,
    cpuMs: (user + system) / 1000 / done,
    deliveredMs: deliveredMs / done,
  };
}
