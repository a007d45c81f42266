import type { FaultPlan } from '../plan.ts';
import type { Outcome } from '../rounds.ts';
import { runAwayForLong } from './away.ts';
import { runEnd, runKill } from './ends.ts';
import type { FaultyTarget } from './faulty-target.ts';
import { runOutage } from './outages.ts';

/** A workload, and what measures it. */
export type Job = readonly [workload: string, run: () => Promise<Outcome>];

/** What becomes of calls when something fails: the receiver, or the program itself. */
export function faultJobs({ outages, ends, kills, awayCalls }: FaultPlan, target: FaultyTarget): Job[] {
  return [
    ...outages.map((section): Job => [`outage-${section.state}`, () => runOutage(section, target)]),
    ...ends.map((section): Job => [`end-${section.way}`, () => runEnd(section, target)]),
    ...kills.map((section): Job => ['kill', () => runKill(section, target)]),
    ['away', () => runAwayForLong(awayCalls)],
  ];
}
