import { parseArgs } from 'node:util';
import { type Absence, type AwayResult, runAway, type Way } from './away-run.ts';

/** Records while the service is away, and says what that takes: `npm run load:away -- --calls 1000000`. */
const { values } = parseArgs({ options: { calls: { type: 'string', default: '1000000' } } });
const calls = Number(values.calls);
if (!Number.isInteger(calls) || calls < 1) throw new TypeError('Usage: npm run load:away -- [--calls <count>]');

const LIMITS = { rssGrowthMb: 150, delayP99Ms: 10, exitMs: 2500 };

for (const absence of ['refuses', 'hangs'] as const) {
  for (const way of ['end', 'exit'] as const) report(absence, way, await runAway({ absence, way, calls }));
}

function report(absence: Absence, way: Way, result: AwayResult): void {
  const { rssGrowthMb, delayP99Ms, delayMaxMs, exitMs, code, counts } = result;
  const { recorded, queued, sent, spooled, dropped, droppedByReason } = counts;
  process.stdout.write(
    `service ${absence}, ${way}: ${calls} calls, memory +${rssGrowthMb.toFixed(0)} MB, event loop p99 ` +
      `${delayP99Ms.toFixed(1)} ms and at most ${delayMaxMs.toFixed(0)} ms, ended after ${exitMs.toFixed(0)} ms with ${code}\n` +
      `  ${recorded} recorded = ${queued} queued + ${sent} sent + ${spooled} spooled + ${dropped} dropped ` +
      `(${JSON.stringify(droppedByReason)})\n`,
  );
  const isMet =
    Object.entries(LIMITS).every(([name, limit]) => result[name as keyof typeof LIMITS] <= limit) &&
    recorded === 2 * calls &&
    recorded === queued + sent + spooled + dropped &&
    dropped === Object.values(droppedByReason).reduce((sum, count) => sum + count, 0) &&
    code === (way === 'exit' ? 3 : 0);
  if (!isMet) process.exitCode = 1;
}
