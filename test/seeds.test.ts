import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Call, createReader, type Reader } from 'spoor/reader';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEEDS } from '../examples/seeds/all-seeds.ts';
import { writeSeeds } from '../examples/seeds/write-seeds.ts';
import { buildOnce } from './build.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from './flow/service-process.ts';

const PROJECT = 'local/seeds';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const made = makeHome();
let server: ServiceProcess;
let reader: Reader;

beforeAll(async () => {
  await buildOnce();
  server = await startServiceProcess(made.home);
  reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
}, 120_000);
afterAll(async () => {
  await server.stop();
  made.remove();
});

/** Seeds of one trace, and how many calls it has. */
const TRACES = [
  ['streaming', 5],
  ['images', 2],
  ['scripts', 12],
  ['hostile', 5],
  ['skew', 7],
  ['missing-parents', 8],
  ['deep', 1400],
  ['long-string', 3],
  ['10k', 10_000],
] as const;

test.each(TRACES)(
  'the seed "%s" is a trace of %i calls, at the page it names',
  { timeout: 120_000 },
  async (name, count) => {
    const [path = ''] = await writeSeeds(reader, [name]);
    const traceId = /^trace\/(\w+)/.exec(path)?.[1] ?? '';
    expect((await reader.page.skeleton(traceId)).count).toBe(count);
  },
);

test('a level of the deep one is inside of the one before, 1,400 of them', async () => {
  const { parents } = await reader.page.skeleton('019a0000000070008000000000000009');
  const depths: number[] = [];
  for (const [index, parent] of parents.entries()) depths[index] = parent < 0 ? 1 : (depths[parent] ?? 0) + 1;
  expect(Math.max(...depths)).toBe(1400);
});

test('the long string is stored whole, and another one is in its record', async () => {
  const calls: Call[] = [];
  for await (const call of reader.calls.query({ filter: { op_names: ['read_transcript', 'join_lines'] } }))
    calls.push(call);
  const [inline, stored] = ['join_lines', 'read_transcript'].map((op) => calls.find(({ op_name }) => op_name === op));
  expect(String(inline?.output)).toHaveLength(12 * 1024 * 1024);
  const marker = stored?.output as { readonly files: Readonly<Record<string, string>> } | undefined;
  expect((await reader.files.get(marker?.files['obj.txt'] ?? ''))?.byteLength).toBe(20 * 1024 * 1024);
});

test('the long conversation has 60 turns, and four questions over documents fail', async () => {
  await writeSeeds(reader, ['thread', 'rag']);
  const turns = await reader.page.stats({ where: 'thread:thread-of-60 roots:yes' });
  expect(turns.count).toBe(60);
  expect((await reader.page.stats({ where: 'op:ask_documents status:error' })).count).toBe(4);
});

test('a seed that is not there is named, with those that are', async () => {
  await expect(writeSeeds(reader, ['nothing'])).rejects.toThrow(`want ${Object.keys(SEEDS).join(', ')} or all`);
});

test('a test of the page opens each seed, or the largest of its kind that CI has time for', () => {
  const folder = join(ROOT, 'test', 'page');
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const isOpened = (name: string) =>
    texts.some((text) => text.includes(`openSeed('${name}'`) || text.includes(`seeds/${name}.ts'`));
  // Made as that of 10,000 is; `npm run bench:ui` opens traces of its size.
  expect(Object.keys(SEEDS).filter((name) => !isOpened(name))).toEqual(['100k']);
});

test('the command lists the seeds, and writes one into the service that it is told', { timeout: 60_000 }, async () => {
  const run = async (...args: string[]) =>
    await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--conditions=spoor-source', 'examples/seeds/main.ts', ...args],
      { cwd: ROOT, env: { ...process.env, SPOOR_URL: server.url, SPOOR_API_KEY: server.apiKey } },
    );
  const { stdout } = await run();
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...Object.keys(SEEDS), '']);
  const written = await run('skew', '--project', 'local/other');
  expect(written.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ui\/local\/other\/trace\/019a\w+\n$/);
});
