import { beforeAll, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { runAway } from '../load/away-run.ts';

// The large version is a script that measures times, too: `npm run load:away -- --calls 1000000`.

beforeAll(buildOnce, 120_000);

const MAX_GROWTH_MB = 150;

/** More than memory and disk may hold together. */
const CALLS = 80_000;
const LIMITS = { SPOOR_QUEUE_BYTES: '16000000', SPOOR_SPOOL_BYTES: '8000000' };

describe.each(['refuses', 'hangs'] as const)(
  'a service that %s while a program makes more calls than can wait',
  (absence) => {
    test.each([
      ['end', 0],
      ['exit', 3],
    ] as const)('takes little memory, and what is lost is counted (%s)', { timeout: 120_000 }, async (way, code) => {
      const result = await runAway({ absence, way, calls: CALLS, env: LIMITS });
      const { recorded, queued, sent, spooled, dropped, droppedByReason } = result.counts;
      expect(result.code).toBe(code);
      expect(recorded).toBe(2 * CALLS);
      expect(queued + sent + spooled + dropped).toBe(recorded);
      expect(sent).toBe(0);
      expect(dropped).toBeGreaterThan(0);
      expect(droppedByReason).toEqual({ 'spool-full': dropped });
      // One record may come on top before room is made.
      expect(result.queuedBytes).toBeLessThan(Number(LIMITS.SPOOR_QUEUE_BYTES) + 4096);
      expect(result.rssGrowthMb).toBeLessThan(MAX_GROWTH_MB);
    });
  },
);
