import type { PolicyStore, Removed, RetentionStore } from '../../contract/retention.ts';
import { POLICY, readPolicy } from '../../values/policy-setting.ts';
import type { OldTrace } from './find-old.ts';
import type { Reads } from '../threads/reads.ts';
import type { WriteClient } from '../threads/write-client.ts';

/** Calls that are removed in one commit, if they are not of one trace: other writers wait for it. */
const SLICE_CALLS = 500;

/** Retention as the service asks for it. */
export function retentionStore(writes: WriteClient, reads: Reads): RetentionStore {
  return {
    projects: async (options = {}) => await reads.send({ op: 'listProjects' }, options),
    timeForBytes: async (projectId, bytes, options = {}) => {
      return await reads.send({ op: 'timeForBytes', projectId, bytes }, options);
    },
    removeBefore: async (projectId, before, options = {}) => {
      const found = await reads.send({ op: 'oldTraces', projectId, before }, options);
      let removed: Removed = { traces: 0, calls: 0 };
      for (const traceIds of slicesOf(found)) {
        if (options.signal?.aborted === true) return removed;
        const slice = await writes.send({ op: 'removeTraces', projectId, traceIds, before });
        removed = sumOf(removed, slice);
      }
      const halves = await writes.send({ op: 'removeHalves', projectId, before });
      // Behind the last step, in which nothing was old any more.
      if (found.length === 0) await removeRuns(writes, { projectId, before, signal: options.signal });
      return sumOf(removed, halves);
    },
    giveBack: async () => await writes.send({ op: 'giveBack' }),
  };
}

interface OldRuns {
  readonly projectId: string;
  readonly before: number;
  readonly signal: AbortSignal | undefined;
}

/** Once no call of theirs is left, a few in each commit: those behind a number. */
async function removeRuns(writes: WriteClient, old: OldRuns, after = 0): Promise<void> {
  const { projectId, before, signal } = old;
  if (signal?.aborted === true) return;
  const next = await writes.send({ op: 'removeRuns', projectId, before, after });
  if (next !== null) await removeRuns(writes, old, next);
}

/** The setting of all services on the data. */
export function policyStore(writes: WriteClient, reads: Reads): PolicyStore {
  return {
    get: async (options = {}) => readPolicy(await reads.send({ op: 'getSetting', name: POLICY }, options)),
    set: async (policy) => {
      await writes.send({ op: 'saveSetting', name: POLICY, value: JSON.stringify(policy) });
    },
  };
}

function slicesOf(traces: readonly OldTrace[]): string[][] {
  const slices: string[][] = [];
  let room = 0;
  for (const { traceId, callCount } of traces) {
    if (room < callCount) {
      slices.push([]);
      room = SLICE_CALLS;
    }
    slices.at(-1)?.push(traceId);
    room -= callCount;
  }
  return slices;
}

function sumOf(one: Removed, other: Removed): Removed {
  return { traces: one.traces + other.traces, calls: one.calls + other.calls };
}
