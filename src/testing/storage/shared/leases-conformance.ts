import { strict as assert } from 'node:assert';
import type { Contracts } from '../contract.ts';

/** Work that one service does for all. */
export function leasesConformance({ contract }: Contracts): void {
  contract(
    'who has a lease has it again when it asks again, and others beside it',
    async (storage) => {
      for (const name of ['work', 'work', 'other work']) assert.equal(await storage.takeLease?.(name, 60_000), true);
    },
    'takeLease',
  );
}
