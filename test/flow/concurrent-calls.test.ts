import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { readerOf, startProgram } from './program.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from './service-process.ts';

let home: string;
let removeHome: () => void;
let service: ServiceProcess;

beforeAll(async () => {
  await buildOnce();
  ({ home, remove: removeHome } = makeHome());
  service = await startServiceProcess(home);
}, 120_000);
afterAll(async () => {
  await service.stop();
  removeHome();
});

/** Each call carries its own path, so that what is read back can be compared without trusting ids. */
const TREES = `
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
const node = traced(async (path, depth) => {
  await (path.length % 3 === 0 ? pause(path.length % 7) : turn());
  const children = Array.from({ length: depth === 0 ? 0 : 1 + (path.length + depth) % 3 }, (_, i) => path + '/' + i);
  const results = depth % 2 === 0
    ? await Promise.all(children.map((child) => node(child, depth - 1)))
    : await children.reduce(async (done, child) => [...(await done), await node(child, depth - 1)], Promise.resolve([]));
  calls++;
  return 1 + results.reduce((sum, n) => sum + n, 0);
}, { name: 'node' });
let calls = 0;
await Promise.all(Array.from({ length: 150 }, (_, i) => node('root' + i, i % 4 === 3 ? 1 : 3)));
console.log(JSON.stringify({ calls, ...(await flush()), stats: stats() }));
`;

test('over 1,000 concurrent calls in mixed trees arrive with the right parents and traces', async () => {
  const program = startProgram(home, TREES);
  const { calls, sent, spooled, dropped, stats } = JSON.parse(await program.line()) as Record<string, number> & {
    stats: Record<string, number>;
  };
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(calls).toBeGreaterThan(1000);
  expect({ sent, spooled, dropped }).toEqual({ sent: 2 * (calls ?? 0), spooled: 0, dropped: 0 });
  expect(stats['recorded']).toBe(sent);

  const found = new Map<string, { id: string; parent: string | null; trace: string; path: string; size: unknown }>();
  for await (const call of readerOf(service).calls.query({})) {
    const path = String(call.inputs['path']);
    found.set(path, { id: call.id, parent: call.parent_id, trace: call.trace_id, path, size: call.output });
  }
  expect(found.size).toBe(calls);
  const wrong = [...found.values()].filter(({ path, parent, trace }) => {
    const above = path.includes('/') ? found.get(path.slice(0, path.lastIndexOf('/'))) : undefined;
    return parent !== (above?.id ?? null) || trace !== (above?.trace ?? trace);
  });
  expect(wrong).toEqual([]);
  const roots = [...found.values()].filter(({ parent }) => parent === null);
  expect(new Set(roots.map(({ trace }) => trace)).size).toBe(150);
  expect(roots.reduce((sum, { size }) => sum + Number(size), 0)).toBe(calls);
});
