import { expect, test, vi } from 'vitest';
import type { Fault } from './fault-proxy.ts';
import { useFaultyWay } from './faulty-way.ts';
import { readerOf, runProgram, startProgram } from './program.ts';

// Requests run side by side, wait and are sent again: what was recorded first may come last.

const way = useFaultyWay();

// What is said of a call after its end is an end once more.
const SOURCE = `
  import { createInterface } from 'node:readline';
  import { setTimeout as sleep } from 'node:timers/promises';
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const reply = traced(async function reply(question) { return \`about \${question}\`; });
  const { result, call } = traced.capture(() => reply('tracks'));
  await result;
  for (let n = 1; n <= 3; n++) {
    void flush();
    await lines.next();
    call.set({ ['said' + n]: n });
  }
  await flush({ timeoutMs: 25_000 });
  console.log(call.id);
  process.exit(0);`;

/** The earlier a request, the longer it takes. */
const SLOW: readonly Fault[] = [1500, 1000, 500].map((ms) => ({ kind: 'delay', ms }));

test.each<[string, readonly Fault[]]>([
  ['are slow', SLOW],
  ['are lost on their way, and sent again', [{ kind: 'resetRequest' }, { kind: 'resetRequest' }]],
  ['meet a service that takes nothing', [{ kind: 'answer', status: 503 }, SLOW[1] as Fault]],
])(
  'what is said of a call after its end stays when earlier requests %s',
  { timeout: 60_000 },
  async (_name, faults) => {
    let batches = 0;
    way.proxy.plan = ({ path }) => (path.endsWith('upsert_batch') ? faults[batches++] : undefined);
    const program = startProgram(way.home, SOURCE, way.environment({ SPOOR_TIMEOUT_MS: '10000' }));
    for (let n = 1; n <= 3; n++) {
      await vi.waitFor(() => expect(batches).toBeGreaterThanOrEqual(n), { timeout: 10_000 });
      program.child.stdin?.write('\n');
    }
    const id = await program.line();
    expect((await program.ended).code).toBe(0);
    const settled = async () => {
      await way.drain();
      expect(way.segments()).toEqual([]);
      const call = await readerOf(way.service, way.project).calls.get(id);
      expect(call?.summary).toMatchObject({ attributes: { said1: 1, said2: 2, said3: 3 } });
    };
    await vi.waitFor(settled, { timeout: 20_000, interval: 200 });
  },
);

test('of an object that is published twice the second one is the latest, when the first is slow', async () => {
  let versions = 0;
  way.proxy.plan = ({ path }) => (path === '/obj/create' && versions++ === 0 ? SLOW[1] : undefined);
  const source = `
    for (let n = 1; n <= 3; n++) spoor.publish({ n }, 'notes');
    await flush({ timeoutMs: 25_000 });
    process.exit(0);`;
  const ended = await runProgram(way.home, source, way.environment({ SPOOR_TIMEOUT_MS: '10000' }));
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const found = await readerOf(way.service, way.project).objects.query({ filter: { object_ids: ['notes'] } });
  const byVersion = found.toSorted((one, other) => one.version_index - other.version_index);
  expect(byVersion.map(({ val, is_latest }) => [val, is_latest])).toEqual([
    [{ n: 1 }, 0],
    [{ n: 2 }, 0],
    [{ n: 3 }, 1],
  ]);
});
