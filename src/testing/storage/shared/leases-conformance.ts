import { strict as assert } from 'node:assert';
import type { Storage } from '../../../storage/contract/storage.ts';
import type { Contracts } from '../contract.ts';

const LONG_MS = 60_000;

type Take = (name: string, ms?: number) => Promise<boolean>;

/** Two services on one storage. */
interface Both {
  readonly one: Storage;
  readonly other: Storage;
  readonly takeOne: Take;
  readonly takeOther: Take;
}

/** Work that one service does for all. */
export function leasesConformance({ contract: state, openBeside }: Contracts): void {
  const contract = (name: string, check: (both: Both) => Promise<void>) =>
    state(
      name,
      async (_storage, engine) => {
        assert(openBeside, 'Cannot test leases: `openBeside` is not given');
        const other = await openBeside(engine);
        try {
          await check({ one: engine, other, takeOne: takeOf(engine), takeOther: takeOf(other) });
        } finally {
          await other.close();
        }
      },
      'takeLease',
    );

  contract('who has a lease has it again when it asks again, and others beside it', async ({ takeOne }) => {
    for (const name of ['work', 'work', 'other work']) assert.equal(await takeOne(name), true);
  });

  contract('a lease is of one service, and another work of another', async ({ takeOne, takeOther }) => {
    assert.equal(await takeOne('work'), true);
    assert.equal(await takeOther('work'), false);
    assert.equal(await takeOther('other work'), true);
    assert.equal(await takeOne('other work'), false);
    assert.equal(await takeOne('work'), true);
  });

  contract(
    'of two that ask for a lease at one moment one has it when both ask again',
    async ({ takeOne, takeOther }) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        const had = await Promise.all([takeOne(name), takeOther(name)]);
        assert.equal(had.includes(true), true);
        const has = [await takeOne(name), await takeOther(name)];
        assert.equal(has.filter(Boolean).length, 1);
      }
    },
  );

  contract('a lease whose time is over is taken by another', async ({ takeOne, takeOther }) => {
    assert.equal(await takeOne('work', 1), true);
    while (!(await takeOther('work')));
    assert.equal(await takeOne('work'), false);
  });

  contract('a service that closes its storage gives back what it has', async ({ other, takeOne, takeOther }) => {
    for (const name of ['work', 'more']) assert.equal(await takeOther(name), true);
    assert.equal(await takeOne('work'), false);
    await other.close();
    for (const name of ['work', 'more']) assert.equal(await takeOne(name), true);
  });
}

function takeOf({ takeLease }: Storage): Take {
  assert(takeLease);
  return async (name, ms = LONG_MS) => await takeLease(name, ms);
}
