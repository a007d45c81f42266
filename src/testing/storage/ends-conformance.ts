import { strict as assert } from 'node:assert';
import type { EndFact } from '../../storage/contract/calls.ts';
import type { Contracts } from './contract.ts';
import { endFact, PROJECT, readIds, startFact } from './facts.ts';

const OLD_REF = 'svc:///acme/demo/object/old:v1';
const NEW_REF = 'svc:///acme/demo/object/new:v1';

/** Revisions of ends, in the order of their writing. */
const REVISIONS = [0, 1, 2, 2];

/** Calls that are ended more than once, by writers who count how often: their requests may come in any order. */
export function endsConformance({ contract }: Contracts): void {
  contract('of several ends the last one of the highest revision counts, whatever comes after it', async (storage) => {
    for (const [number, order] of orders(REVISIONS.length).entries()) {
      const id = `c${number}`;
      const ends = order.map((index) => endOf(id, index));
      const at = number % (ends.length + 1);
      const facts = [...ends.slice(0, at), startFact(id), ...ends.slice(at)];
      // In one batch, in two, or each by itself.
      const size = [facts.length, 3, 1][number % 3] ?? 1;
      for (let from = 0; from < facts.length; from += size) {
        await storage.calls.write(facts.slice(from, from + size));
      }
      const winner = order.lastIndexOf(3) > order.lastIndexOf(2) ? 3 : 2;
      const { output, summary, exception, display_name } = endOf(id, winner);
      const call = await storage.calls.get(PROJECT, id);
      assert.deepEqual(
        [call?.output, call?.summary, call?.exception, call?.display_name],
        [output, summary, exception, display_name],
        order.join(' '),
      );
    }
  });

  contract('an end that does not count is answered with the trace of its call', async (storage) => {
    await storage.calls.write([startFact('c1'), endFact('c1', { revision: 1 }), endFact('c2', { revision: 1 })]);
    assert.deepEqual(await storage.calls.write([endFact('c1'), endFact('c2')]), [
      { id: 'c1', trace_id: 'trace-of-c1' },
      { id: 'c2', trace_id: '' },
    ]);
  });

  contract('references of an end that does not count are not found', async (storage) => {
    await storage.calls.write([startFact('c1'), endFact('c1', { revision: 1, output_refs: [NEW_REF] })]);
    await storage.calls.write([endFact('c1', { output_refs: [OLD_REF] })]);
    assert.deepEqual(await readIds(storage, { filter: { output_refs: [OLD_REF] } }), []);
    assert.deepEqual(await readIds(storage, { filter: { output_refs: [NEW_REF] } }), ['c1']);
  });

  contract('an end without a revision replaces another one without', async (storage) => {
    await storage.calls.write([startFact('c1'), endFact('c1', { output: '1' })]);
    await storage.calls.write([endFact('c1', { output: '2' })]);
    assert.equal((await storage.calls.get(PROJECT, 'c1'))?.output, '2');
  });
}

function endOf(id: string, index: number): EndFact {
  const exception = index === 2 ? null : `end ${index} failed`;
  const revision = REVISIONS[index] ?? 0;
  const output = String(index);
  const summary = JSON.stringify({ index, end_revision: revision });
  return endFact(id, { revision, output, summary, display_name: `end ${index}`, exception });
}

/** All orders of the numbers below `count`. */
function orders(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  const last = count - 1;
  return orders(last).flatMap((order) => Array.from({ length: count }, (_, at) => order.toSpliced(at, 0, last)));
}
