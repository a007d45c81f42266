// Makes a hundred thousand calls in one turn of the event loop, then delivers them. The turn in which they are made is one
// stop of the event loop, however little each call takes; what is measured is the longest stop after it.
import { flushWithin, tell } from './tell.js';

const { adapter, calls, service } = JSON.parse(process.argv[2]);
const TICK_MS = 1;

const { open } = await import(adapter);
const tracing = await open(service);
const answer = tracing.async(
  async function answer(question) {
    return `answer to ${question}`;
  },
  { name: 'answer', inputs: (question) => ({ question }) },
);
for (let n = 0; n < 100; n++) await answer(`warm-up ${n}`);
await flushWithin(tracing.flush);

const startedAt = performance.now();
await Promise.all(Array.from({ length: calls }, (_, n) => answer(`question ${n}`)));
const emitMs = performance.now() - startedAt;
const longestStopMs = await longestStopWhile(flushWithin(tracing.flush));
const deliveredMs = performance.now() - startedAt;

tell({
  calls: calls + 100,
  figures: {
    emitMs,
    longestStopMs,
    callsPerSec: (calls * 1000) / deliveredMs,
    peakRssMb: process.resourceUsage().maxRSS / 1000,
  },
});

/** How much later than asked for the latest timer was. */
async function longestStopWhile(work) {
  let longest = 0;
  let last = performance.now();
  let timer;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
    timer = setTimeout(tick, TICK_MS);
  };
  timer = setTimeout(tick, TICK_MS);
  await work;
  tick();
  clearTimeout(timer);
  return longest;
}
