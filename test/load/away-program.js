// A program that makes calls of a kilobyte as fast as it can, with a turn of the event loop every hundred calls, and tells
// what that took. Then it ends, by itself or by process.exit.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { stats, traced } from '../../dist/index.js';

const { calls, way } = JSON.parse(process.argv[2]);
const CALLS_PER_TURN = 100;
const TURNS_PER_SAMPLE = 50;

const step = traced(async function step(text, n) {
  return n;
});

const before = process.memoryUsage.rss();
let rss = before;
let queuedBytes = 0;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (let n = 0; n < calls; n++) {
  await step('x'.repeat(900) + String(n), n);
  if (n % CALLS_PER_TURN !== 0) continue;
  await new Promise((resolve) => setImmediate(resolve));
  if (n % (CALLS_PER_TURN * TURNS_PER_SAMPLE) !== 0) continue;
  rss = Math.max(rss, process.memoryUsage.rss());
  queuedBytes = Math.max(queuedBytes, stats().queuedBytes);
}
delay.disable();
const { recorded, queued, sent, spooled, dropped, droppedByReason, objects } = stats();
process.send({
  rssGrowthMb: (rss - before) / 1e6,
  queuedBytes,
  delayP99Ms: delay.percentile(99) / 1e6,
  delayMaxMs: delay.max / 1e6,
  counts: { recorded, queued, sent, spooled, dropped, droppedByReason, objects },
});
process.disconnect();
if (way === 'exit') process.exit(3);
