// Makes calls at a steady rate until it is told that the trouble of the receiver is over. Then it delivers what is left,
// tells what that took, and ends by itself.
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePaced } from './paced.js';
import { flushWithin, leave } from './tell.js';

const { adapter, callsPerSec, leadMs, service } = JSON.parse(process.argv[2]);
const TICK_MS = 1;
const WARM_UP_CALLS = 2000;

const { open } = await import(adapter);
const tracing = await open(service);
const answer = tracing.async(
  async function answer(question) {
    return `answer to ${question}`;
  },
  { name: 'answer', inputs: (question) => ({ question }) },
);
for (let n = 0; n < WARM_UP_CALLS; n++) {
  await answer(`warm-up ${n}`);
  if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await flushWithin(tracing.flush);

const calls = makePaced(answer, callsPerSec);
await sleep(leadMs);
const before = process.memoryUsage.rss();
let rss = before;
const rssTimer = setInterval(() => {
  rss = Math.max(rss, process.memoryUsage.rss());
}, 50);
const delay = monitorEventLoopDelay({ resolution: TICK_MS });
delay.enable();
process.send('steady');
await once(process, 'message');

const made = calls.stop();
const overAt = performance.now();
await flushWithin(tracing.flush);
const flushMs = performance.now() - overAt;
delay.disable();
clearInterval(rssTimer);
leave({
  calls: WARM_UP_CALLS + made,
  figures: {
    flushMs,
    delayMaxMs: delay.max / 1e6 - TICK_MS,
    delayP99Ms: delay.percentile(99) / 1e6 - TICK_MS,
    rssMb: (Math.max(rss, process.memoryUsage.rss()) - before) / 1e6,
  },
});
