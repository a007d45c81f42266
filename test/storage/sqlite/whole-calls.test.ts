import { expect, test } from 'vitest';
import { openStorage } from '../../../src/storage/open.ts';
import type { CallFact } from '../../../src/storage/contract/calls.ts';
import type { Storage } from '../../../src/storage/contract/storage.ts';
import { endFact, NEW_YEAR, SECOND, startFact } from '../../../src/testing/storage/facts.ts';
import { selectionOf } from '../../../src/testing/storage/plans.ts';

const REFS = [`svc:///acme/demo/object/first:v1`, `svc:///acme/demo/object/second:v1`] as const;

/** Halves of one call that differ in everything that one of them could take from another. */
const HALVES: readonly ((project: string) => CallFact)[] = [
  (project_id) => startFact('c', { project_id, parent_id: 'p', trace_id: null, input_refs: [REFS[0]] }),
  (project_id) =>
    startFact('c', { project_id, display_name: 'by start', started_at: NEW_YEAR - SECOND, svc_run_step: 1 }),
  (project_id) => endFact('c', { project_id, output_refs: [REFS[0]], exception: 'no\0' }),
  (project_id) => endFact('c', { project_id, display_name: '', output_refs: [REFS[1]], svc_run_step_end: 2 }),
  (project_id) =>
    endFact('c', { project_id, display_name: 'by end', summary: '{"a":1,"status_counts":{"error":1e+400}}' }),
  (project_id) => startFact('c', { project_id: `${project_id}-other`, display_name: 'elsewhere' }),
  (project_id) => endFact('c', { project_id: `${project_id}-other`, ended_at: NEW_YEAR + 9 * SECOND }),
  (project_id) => startFact('p', { project_id, trace_id: 'trace-of-parent' }),
];

test('halves of a call that come in one request are stored as if each had come by itself', async () => {
  const engines = [await openStorage({ engine: 'memory' }), await openStorage({ engine: 'sqlite' })] as const;
  for (const [index, order] of ordersOf(HALVES.length, 4).entries()) {
    const project = `acme/order-${index}`;
    const facts = order.map((half) => HALVES[half]?.(project)).filter((fact) => fact !== undefined);
    const [wanted, found] = await Promise.all(engines.map((storage) => outcomeOf(storage, project, facts)));
    expect({ order, ...found }).toEqual({ order, ...wanted });
  }
  await Promise.all(engines.map((storage) => storage.close()));
}, 60_000);

test('a deleted call stays deleted when both its halves come again', async () => {
  const storage = await openStorage({ engine: 'sqlite' });
  await storage.calls.write([startFact('c'), endFact('c')]);
  await storage.calls.delete('acme/demo', ['c'], NEW_YEAR);
  const again = await storage.calls.write([startFact('c', { trace_id: 'another' }), endFact('c')]);
  expect(again).toEqual(Array.from({ length: 2 }, () => ({ id: 'c', trace_id: 'trace-of-c' })));
  expect(await storage.calls.get('acme/demo', 'c')).toBeUndefined();
  await storage.close();
});

/** Every list of up to `length` halves, each at most once. */
function ordersOf(halves: number, length: number): number[][] {
  if (length === 0) return [[]];
  const shorter = ordersOf(halves, length - 1);
  const longest = shorter.filter((order) => order.length === length - 1);
  const more = longest.flatMap((order) =>
    Array.from({ length: halves }, (_, half) => half)
      .filter((half) => !order.includes(half))
      .map((half) => [...order, half]),
  );
  return [...shorter, ...more];
}

async function outcomeOf(storage: Storage, project: string, facts: readonly CallFact[]) {
  const written = await storage.calls.write(facts);
  const projects = [project, `${project}-other`];
  const counts = [];
  for (const projectId of projects)
    for (const ref of REFS)
      for (const kind of ['input_refs', 'output_refs'] as const)
        counts.push(await storage.calls.count(selectionOf({ project_id: projectId, filter: { [kind]: [ref] } })));
  return { written, stored: await Promise.all(projects.map((id) => storage.calls.get(id, 'c'))), counts };
}
