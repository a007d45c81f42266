import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { contentOf, exported, fill } from '../../cli/commands/archived.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { buildOnce } from '../../build.ts';
import { readerOf, type RunningProgram, startProgram } from '../program.ts';
import { openBalancer } from './balancer.ts';
import { makeHome, runCli, type ServiceProcess, startServiceProcess } from '../service-process.ts';

const bench = useClickhouse();

beforeAll(buildOnce, 120_000);

/** Records until its standard input ends, then says how much that was. */
const RECORDING = `
let isDone = false;
process.stdin.on('end', () => (isDone = true)).resume();
console.log('started');
let count = 0;
for (; !isDone; count++) {
  step(process.env.NAME + count);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await flush({ timeoutMs: 60_000 });
console.log(count);
`;

async function serve(home: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(home, args, { env });
  onTestFinished(async () => {
    if (service.child.exitCode === null) await service.stop();
  });
  return service;
}

async function startRecording(home: string, env: NodeJS.ProcessEnv): Promise<RunningProgram> {
  const program = startProgram(home, RECORDING, env);
  expect(await program.line()).toBe('started');
  return program;
}

/** How many calls it has made. */
async function ended(program: RunningProgram): Promise<number> {
  program.child.stdin?.end();
  const count = Number(await program.line());
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
  return count;
}

async function run(home: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await runCli(home, ...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}

/** What a program has recorded, in any order. */
async function outputsOf(service: Pick<ServiceProcess, 'url' | 'apiKey'>): Promise<string[]> {
  const outputs: string[] = [];
  for await (const { output } of readerOf(service).calls.query({ columns: ['output'] })) outputs.push(String(output));
  return outputs.toSorted();
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => name + index);

// As docs/guides/scale.md says it.
describe.skipIf(MISSING !== undefined)('a store that moves to ClickHouse and back under programs that record', () => {
  test('loses nothing of theirs, and is at the end what it was', async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    const aside = join(home, 'aside');
    const engine = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: await bench.newDatabase() };
    const old = await serve(home, []);
    await fill({ home, service: old });
    const before = contentOf(await exported({ home, service: old }, 'before.jsonl'));
    const found = await startRecording(home, { NAME: 'found' });
    const told = await startRecording(home, { NAME: 'told', SPOOR_URL: old.url, SPOOR_API_KEY: old.apiKey });
    /** Stops a service, starts the next one in its place, and moves what the first has from beside it. */
    const move = async (from: ServiceProcess, next: NodeJS.ProcessEnv, was: Parameters<typeof serve>) => {
      await from.stop();
      // A connection of another process may have the port for a while.
      const again = () => serve(home, ['--port', new URL(old.url).port], next);
      const service = await vi.waitFor(again, { timeout: 60_000 });
      expect([service.url, service.apiKey]).toEqual([old.url, old.apiKey]);
      const beside = await serve(...was);
      const file = join(aside, `${service.child.pid}.jsonl`);
      await run(aside, 'export', file, '--all');
      await run(home, 'import', file);
      await beside.stop();
      return service;
    };
    const data = ['--storage', 'sqlite', '--data', join(home, 'data')];
    const large = await move(old, engine, [aside, data, engine]);
    expect(contentOf(await exported({ home, service: large }, 'large.jsonl'))).toEqual(before);
    const back = await move(large, {}, [aside, [], engine]);
    const made = [...numbered('found', await ended(found)), ...numbered('told', await ended(told))];
    expect(await outputsOf(back)).toEqual(made.toSorted());
    expect(contentOf(await exported({ home, service: back }, 'after.jsonl'))).toEqual(before);
  });

  test('loses nothing of theirs where several services share it behind one address', async () => {
    const key = { SPOOR_API_KEY: 'key-of-all-services' };
    const { home, remove } = makeHome();
    const { home: second, remove: removeSecond } = makeHome();
    onTestFinished(remove);
    onTestFinished(removeSecond);
    const aside = join(home, 'aside');
    const engine = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: await bench.newDatabase() };
    const balancer = await openBalancer();
    const old = await serve(home, [], key);
    balancer.pointAt(old.url);
    await fill({ home, service: old });
    const before = contentOf(await exported({ home, service: old }, 'before.jsonl'));
    const toBalancer = { ...key, SPOOR_URL: balancer.url };
    const programs = await Promise.all(
      ['one', 'other'].map((NAME) => startRecording(NAME === 'one' ? home : second, { NAME, ...toBalancer })),
    );
    const moveFrom = async (service: ServiceProcess, name: string) => {
      const file = join(aside, name);
      await run(aside, 'export', file, '--all');
      await run(home, 'import', file);
      await service.stop();
    };
    await old.stop();
    const env = { ...engine, ...key };
    const [one, other] = await Promise.all([serve(home, [], env), serve(second, [], env)]);
    balancer.pointAt(one.url, other.url);
    await moveFrom(await serve(aside, ['--storage', 'sqlite', '--data', join(home, 'data')], engine), 'there.jsonl');
    // A machine fails, and its service is started again.
    await other.stop('SIGKILL');
    const again = await serve(second, [], env);
    balancer.pointAt(one.url, again.url);
    expect(contentOf(await exported({ home, service: one }, 'large.jsonl'))).toEqual(before);
    for (const service of [one, again]) await service.stop();
    const back = await serve(home, [], key);
    balancer.pointAt(back.url);
    await moveFrom(await serve(aside, [], engine), 'back.jsonl');
    const counts = await Promise.all(programs.map(ended));
    const made = ['one', 'other'].flatMap((name, index) => numbered(name, counts[index] ?? 0));
    expect(await outputsOf({ ...back, apiKey: key.SPOOR_API_KEY })).toEqual(made.toSorted());
    expect(contentOf(await exported({ home, service: back }, 'after.jsonl'))).toEqual(before);
  });
});
