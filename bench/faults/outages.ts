import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeHome } from '../../test/flow/service-process.ts';
import { forkProgram, type Measured, resultOf } from '../measure.ts';
import type { OutageSection } from '../plan.ts';
import { inTurn, type Outcome, withLost } from '../rounds.ts';
import type { FaultyTarget } from './faulty-target.ts';

const CALLS_PER_SEC = 1000;
/** A program that goes on for so long after its result is ended. */
const EXIT_LIMIT_MS = 5000;

/** Calls at a steady rate while the receiver has trouble; what is left is delivered as soon as that is over. */
export function runOutage(section: OutageSection, target: FaultyTarget): Promise<Outcome> {
  return inTurn({
    workload: `outage-${section.state}`,
    adapters: section.adapters,
    rounds: section.rounds,
    measure: async (adapter) => {
      await target.reset();
      return withLost(await measureOutage(section, adapter, target), adapter, target);
    },
  });
}

async function measureOutage(section: OutageSection, adapter: string, target: FaultyTarget): Promise<Measured> {
  const { state, leadMs, outageMs } = section;
  const { home, remove } = makeHome();
  const child = forkProgram('outage', adapter, { callsPerSec: CALLS_PER_SEC, leadMs, target, home });
  const exited = once(child, 'exit');
  const result = resultOf(child, adapter);
  const isSteady = await Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]);
  try {
    if (!isSteady) return await result;
    await target.be(state);
    await sleep(outageMs);
    // A receiver that is late stays so; the others are well again.
    if (state !== 'late') await target.be('well');
    const told = once(child, 'message');
    if (child.connected) child.send('over');
    await Promise.race([told, exited]);
    const exitMs = await timeUntil(exited, () => child.kill('SIGKILL'));
    const measured = await result;
    return 'skipped' in measured ? measured : { ...measured, figures: { ...measured.figures, exitMs } };
  } finally {
    await target.be('well');
    remove();
  }
}

async function timeUntil(exited: Promise<unknown>, giveUp: () => void): Promise<number> {
  const startedAt = performance.now();
  const limit = setTimeout(giveUp, EXIT_LIMIT_MS);
  await exited;
  clearTimeout(limit);
  return performance.now() - startedAt;
}
