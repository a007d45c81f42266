import { expect, test } from 'vitest';
import type { ProcessRun } from '../../../src/protocol/process-run.ts';
import type { NewBatchItem } from '../../../src/reader/reader.ts';
import { ROOT, runCli, runNode } from '../../flow/service-process.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';
import { recorded } from './recorded-traces.ts';
import { sendRun } from './send-run.ts';

const DAY = '2026-01-02T10:00:00Z';
const COMMIT = '9f2c3d4e5f60718293a4b5c6d7e8f90123456789';
const FIRST: ProcessRun = { id: 'p0f3c9a1b2c3d4e5f', pid: 4711, host: 'build-7', commit: COMMIT, isDirty: false };
const SECOND: ProcessRun = { id: 'p1111111111111111', host: 'build-7', commit: COMMIT, isDirty: true };
const THIRD: ProcessRun = { id: 'p2222222222222222' };

/** A project with more runs than an answer of the service has. */
const MANY = 'acme/many';
const MANY_IDS = Array.from({ length: 203 }, (_, index) => `p${String(index).padStart(16, '0')}`);

const usage = { 'gpt-4o': { requests: 1, input_tokens: 1200, output_tokens: 34 } };
const failed = { exception: 'Error: no' };

const memoryService = useMemoryService(async (reader) => {
  await send(FIRST, recorded(DAY, [0, 2310], { id: 'a', trace_id: 'a', op_name: 'answer', summary: { usage } }));
  await send(SECOND, [
    ...recorded(DAY, [5000, 6000], { id: 'b', trace_id: 'b', op_name: 'answer', ...failed }),
    ...recorded(DAY, [5001, 5500], { id: 'b2-below-b', trace_id: 'b', parent_id: 'b', op_name: 'search' }),
    ...recorded(DAY, [7000, 7001], { id: 'b3', trace_id: 'b3', op_name: 'answer' }),
  ]);
  await send(
    THIRD,
    recorded(DAY, [9000, 9001], { id: 'c', trace_id: 'trace-of-c', op_name: 'nightly\u001b[31m report' }),
  );
  await reader.calls.write(recorded(DAY, [0, 1], { id: 'd', trace_id: 'd', op_name: 'other' }));
  for (const [index, id] of MANY_IDS.entries()) {
    await send({ id }, recorded(DAY, [index, index + 1], { id, trace_id: id, op_name: 'answer' }), MANY);
  }
});

/** Sends calls as the program of a run does. */
async function send(run: ProcessRun, items: NewBatchItem[], project = PROJECT): Promise<void> {
  await sendRun(memoryService().service, run, { items, project });
}

async function printed(...args: string[]): Promise<string[]> {
  const { home } = memoryService();
  const env = { TZ: 'UTC' };
  const run = await runNode([`${ROOT}/dist/cli/bin.cjs`, 'runs', ...args, '--project', PROJECT], { home, env });
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' });
  return run.stdout.trimEnd().split('\n');
}

test('a run has a line with what it was and what it did', async () => {
  // Counts come a moment later where the service is slow with them.
  await expect
    .poll(async () => (await printed()).map((line) => line.split(/ {2,}/)))
    .toEqual([
      ['began', 'entry op', 'commit', 'calls', 'failed', 'tokens', 'cost', 'duration', 'host', 'run'],
      ['2026-01-02 10:00:09', 'nightly report', '1', '0', '1.0 ms', THIRD.id],
      ['2026-01-02 10:00:05', 'answer', '9f2c3d4e+', '3', '1', '2.00 s', 'build-7', SECOND.id],
      [
        '2026-01-02 10:00:00',
        'answer',
        '9f2c3d4e',
        '1',
        '0',
        '1,234',
        expect.stringMatching(/^\$0\.00/) as string,
        '2.31 s',
        'build-7',
        FIRST.id,
      ],
    ]);
});

test('--op and --limit leave others out', async () => {
  const idsOf = (lines: string[]) => lines.slice(1).map((line) => line.split(/ {2,}/).at(-1));
  expect(idsOf(await printed('--op', 'answer'))).toEqual([SECOND.id, FIRST.id]);
  expect(idsOf(await printed('--op', 'answer', '--limit', '1'))).toEqual([SECOND.id]);
});

test('runs are listed that the service tells in more than one answer', async () => {
  const listed = async (limit: number) => {
    const { stdout } = await runCli(memoryService().home, 'runs', '--json', '--limit', `${limit}`, '--project', MANY);
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
  };
  expect(await listed(300)).toEqual(MANY_IDS.toReversed());
  expect(await listed(202)).toEqual(MANY_IDS.toReversed().slice(0, 202));
});

test('--call names the run of a call, and --before with its op the run before', async () => {
  const idsOf = (lines: string[]) => lines.slice(1).map((line) => line.split(/ {2,}/).at(-1));
  expect(idsOf(await printed('--call', 'b2-below-b'))).toEqual([SECOND.id]);
  expect(idsOf(await printed('--before', SECOND.id, '--op', 'answer', '--limit', '1'))).toEqual([FIRST.id]);
});

test.each([
  ['the beginning of the id of a call', SECOND, ['b2-be', '--project', PROJECT]],
  ['the end of one in another project', SECOND, ['below-b', '--project', 'acme/other']],
  ['the id of a trace', THIRD, ['trace-of-c', '--project', PROJECT]],
])('--call takes %s', async (_what, { id }, args) => {
  const { stdout, code } = await runCli(memoryService().home, 'runs', '--json', '--call', ...args);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ id }]);
});

test.each([
  ['call', ['--call', 'nobody'], 'There is no trace or call "nobody" in any project'],
  ['run', ['--before', 'p9999999999999999'], `There is no run "p9999999999999999" in project ${PROJECT}`],
])('a %s that nobody knows is an error', async (_what, args, message) => {
  const { stdout, stderr, code } = await memoryService().run('runs', ...args);
  expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `spoor: ${message}\n`, code: 1 });
});

test('nothing comes before the first run', async () => {
  const { stdout, code } = await memoryService().run('runs', '--before', FIRST.id, '--json');
  expect({ stdout, code }).toEqual({ stdout: '[]\n', code: 0 });
});

test('--json prints what the service answers', async () => {
  const { reader } = memoryService();
  const { stdout } = await memoryService().run('runs', '--json');
  expect(JSON.parse(stdout)).toEqual((await reader.page.runs()).runs);
});

test('a run leads to its traces and calls', async () => {
  const service = memoryService();
  const traces = JSON.parse((await service.run('ls', '-f', `run:${SECOND.id}`, '--json')).stdout) as {
    trace_id: string;
  }[];
  expect(traces.map(({ trace_id: id }) => id)).toEqual(['b3', 'b']);
  expect(JSON.parse((await service.run('stats', '-f', `run:${SECOND.id}`, '--json')).stdout)).toMatchObject({
    count: 3,
  });
});

test('a project without runs says so', async () => {
  const { stdout, stderr, code } = await memoryService().run('runs', '--op', 'nobody');
  expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
  expect(stderr).toBe(`No such runs in project ${PROJECT}; --project names another: ${MANY}\n`);
});

test('diff compares with the earlier run, also where a trace of the same run lies between', async () => {
  const service = memoryService();
  const diffed = JSON.parse((await service.run('diff', 'b3', '--json')).stdout) as Record<
    'a' | 'b',
    { trace_id: string }
  >;
  expect([diffed.a.trace_id, diffed.b.trace_id]).toEqual(['a', 'b3']);
});
