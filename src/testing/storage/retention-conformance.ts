import { strict as assert } from 'node:assert';
import type { PolicyStore, Removed, RetentionStore } from '../../storage/contract/retention.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import type { Check, Contracts } from './contract.ts';
import { endFact, NEW_YEAR, newFeedback, newObject, PROJECT, readIds, SECOND, startFact } from './facts.ts';

const OTHER = 'acme/other';

/** Removal of what is old. */
export function retentionConformance({ contract: state, openBeside }: Contracts): void {
  const contract = (name: string, check: Check) => state(name, check, 'retention');

  contract('traces in which nothing has happened since a time are removed whole', async (storage) => {
    await writeTrace(storage, 'old', NEW_YEAR);
    await writeTrace(storage, 'new', NEW_YEAR + 10 * SECOND);
    assert.deepEqual(await removeAll(storage, NEW_YEAR + 5 * SECOND), { traces: 1, calls: 2 });
    assert.deepEqual((await readIds(storage)).toSorted(), ['new', 'new-child']);
    assert.deepEqual(await removeAll(storage, NEW_YEAR + 5 * SECOND), { traces: 0, calls: 0 });
  });

  contract('a trace in which something has happened since stays whole', async (storage) => {
    const trace = { trace_id: 't' };
    const late = { ended_at: NEW_YEAR + 100 * SECOND };
    await storage.calls.write([startFact('root', trace), endFact('root'), startFact('child', trace)]);
    await storage.calls.write([endFact('child', late)]);
    assert.deepEqual(await removeAll(storage, NEW_YEAR + 100 * SECOND), { traces: 0, calls: 0 });
    assert.deepEqual((await readIds(storage)).toSorted(), ['child', 'root']);
    assert.deepEqual(await removeAll(storage, NEW_YEAR + 100 * SECOND + 1), { traces: 1, calls: 2 });
  });

  contract('a call that never ended is as old as its start', async (storage) => {
    await storage.calls.write([startFact('running')]);
    assert.deepEqual(await removeAll(storage, NEW_YEAR), { traces: 0, calls: 0 });
    assert.deepEqual(await removeAll(storage, NEW_YEAR + 1), { traces: 1, calls: 1 });
  });

  contract('an end whose start never came is removed by its time', async (storage) => {
    await storage.calls.write([endFact('half')]);
    assert.deepEqual(await removeAll(storage, NEW_YEAR + SECOND), { traces: 0, calls: 0 });
    assert.deepEqual(await removeAll(storage, NEW_YEAR + SECOND + 1), { traces: 0, calls: 1 });
    await storage.calls.write([startFact('half')]);
    assert.equal((await storage.calls.get(PROJECT, 'half'))?.ended_at, null);
  });

  contract('a removed call is unknown, and may be written anew', async (storage) => {
    const input_refs = [`svc:///${PROJECT}/object/settings:x`];
    await storage.calls.write([startFact('a', { input_refs }), endFact('a')]);
    await removeAll(storage, NEW_YEAR + 2 * SECOND);
    assert.equal(await storage.calls.get(PROJECT, 'a'), undefined);
    assert.deepEqual(await readIds(storage, { filter: { input_refs } }), []);
    await storage.calls.write([startFact('a', { op_name: 'again' })]);
    assert.equal((await storage.calls.get(PROJECT, 'a'))?.op_name, 'again');
    assert.deepEqual(await readIds(storage, { filter: { input_refs } }), []);
  });

  contract('a deleted call stays deleted', async (storage) => {
    await storage.calls.write([startFact('a'), startFact('b', { trace_id: 'trace-of-a' })]);
    await storage.calls.delete(PROJECT, ['a'], NEW_YEAR);
    assert.deepEqual(await removeAll(storage, NEW_YEAR + 2 * SECOND), { traces: 1, calls: 1 });
    await storage.calls.write([startFact('a')]);
    assert.equal(await storage.calls.get(PROJECT, 'a'), undefined);
  });

  contract('what was said about removed calls goes, all else stays', async (storage) => {
    await storage.calls.write([startFact('c1'), startFact('c2', { started_at: NEW_YEAR + SECOND })]);
    const on = (id: string) => ({ svc_ref: `svc:///${PROJECT}/call/${id}` });
    await storage.feedback.create(newFeedback('gone', on('c1')));
    await storage.feedback.create(newFeedback('kept', on('c2')));
    await storage.objects.create(newObject(1));
    await storage.files.create({ project_id: PROJECT, digest: 'd', name: 'f', bytes: Buffer.from('x') });
    await removeAll(storage, NEW_YEAR + 1);
    assert.deepEqual(
      (await storage.feedback.list(PROJECT)).map(({ id }) => id),
      ['kept'],
    );
    assert.equal((await storage.objects.get(PROJECT, 'settings', 'latest'))?.version_index, 0);
    assert.equal((await storage.files.get(PROJECT, 'd'))?.name, 'f');
  });

  contract('what is removed from one project is not removed from another', async (storage) => {
    await storage.calls.write([startFact('a'), startFact('a', { project_id: OTHER }), endFact('half')]);
    assert.deepEqual((await retentionOf(storage).projects()).toSorted(), [PROJECT, OTHER]);
    await removeAll(storage, NEW_YEAR + 2 * SECOND);
    assert.deepEqual(await retentionOf(storage).projects(), [OTHER]);
    assert.equal((await storage.calls.get(OTHER, 'a'))?.id, 'a');
  });

  contract('the newest traces that take no more than so many bytes stay', async (storage) => {
    for (const [index, id] of ['c', 'a', 'b'].entries()) {
      const started_at = NEW_YEAR + index * SECOND;
      const facts = { started_at, inputs: JSON.stringify({ text: 'x'.repeat(10_000) }) };
      await storage.calls.write([startFact(id, facts), endFact(id, { ended_at: started_at, output: '"é"' })]);
    }
    const retention = retentionOf(storage);
    assert.equal(await retention.timeForBytes(PROJECT, 35_000), undefined);
    assert.equal(await retention.timeForBytes('acme/nobody', 0), undefined);
    const time = await retention.timeForBytes(PROJECT, 25_000);
    assert.equal(time, NEW_YEAR + 1);
    await removeAll(storage, time ?? 0);
    assert.deepEqual((await readIds(storage)).toSorted(), ['a', 'b']);
    await removeAll(storage, (await retention.timeForBytes(PROJECT, 0)) ?? 0);
    assert.deepEqual(await readIds(storage), []);
  });

  contract('much that is old is removed in steps, of which the last one removes nothing', async (storage) => {
    for (let first = 0; first < 2500; first += 500) {
      await storage.calls.write(Array.from({ length: 500 }, (_, index) => startFact(`c${first + index}`)));
    }
    const removed = await removeAll(storage, NEW_YEAR + 1);
    assert.deepEqual(removed, { traces: 2500, calls: 2500 });
    assert.deepEqual(await readIds(storage), []);
  });

  state(
    'room that removed calls took is given back, until there is none',
    async (storage) => {
      await writeTrace(storage, 'kept', NEW_YEAR + SECOND);
      const inputs = JSON.stringify({ text: 'x'.repeat(10_000) });
      await storage.calls.write(Array.from({ length: 500 }, (_, index) => startFact(`c${index}`, { inputs })));
      await removeAll(storage, NEW_YEAR + 1);
      const retention = retentionOf(storage);
      let steps = 0;
      while (await retention.giveBack?.()) steps++;
      assert(steps > 0, 'Nothing was given back');
      assert.deepEqual((await readIds(storage)).toSorted(), ['kept', 'kept-child']);
    },
    'retention.giveBack',
  );

  state(
    'the policy is the one that was said last, whole',
    async (storage) => {
      const policy = policyOf(storage);
      assert.equal(await policy.get(), undefined);
      await policy.set({
        all: { days: 0.5, bytes: 20_000_000_000 },
        projects: { [PROJECT]: {}, 'é/"x\0': { days: 90 } },
      });
      assert.deepEqual(await policy.get(), {
        all: { days: 0.5, bytes: 20_000_000_000 },
        projects: { [PROJECT]: {}, 'é/"x\0': { days: 90 } },
      });
      await policy.set({ all: {}, projects: { [OTHER]: { bytes: 1 } } });
      await policy.set({ all: { days: 7 }, projects: {} });
      assert.deepEqual(await policy.get(), { all: { days: 7 }, projects: {} });
    },
    'policy',
  );

  if (!openBeside) return;
  state(
    'the policy is that of all services on a storage, whoever has said it',
    async (_storage, engine) => {
      const other = await openBeside(engine);
      try {
        const both = [policyOf(engine), policyOf(other)];
        for (const [index, policy] of both.entries()) {
          const said = { all: { days: index + 1 }, projects: {} };
          await policy.set(said);
          for (const each of both) assert.deepEqual(await each.get(), said);
        }
      } finally {
        await other.close();
      }
    },
    'policy',
  );
}

function policyOf({ policy }: Storage): PolicyStore {
  return policy ?? assert.fail('The storage has no role "policy"');
}

async function writeTrace(storage: Storage, id: string, started_at: number): Promise<void> {
  const trace = { trace_id: `trace-${id}`, started_at };
  await storage.calls.write([
    startFact(id, trace),
    startFact(`${id}-child`, { ...trace, parent_id: id }),
    endFact(`${id}-child`, { ended_at: started_at + 1 }),
    endFact(id, { ended_at: started_at + 2 }),
  ]);
}

async function removeAll(storage: Storage, time: number): Promise<Removed> {
  const total = { traces: 0, calls: 0 };
  for (;;) {
    const { traces, calls } = await retentionOf(storage).removeBefore(PROJECT, time);
    if (calls === 0) return total;
    total.traces += traces;
    total.calls += calls;
  }
}

function retentionOf({ retention }: Storage): RetentionStore {
  assert(retention, 'The storage removes nothing by age');
  return retention;
}
