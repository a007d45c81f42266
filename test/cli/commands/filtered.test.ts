import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import type { CallsStatsResponse } from '../../../src/protocol/page/calls-stats.ts';
import { environmentOf, ROOT } from '../../flow/service-process.ts';
import { PROJECT, useMemoryService } from './memory-service.ts';
import { recorded, ticketTrace } from './recorded-traces.ts';

const DAY = '2026-01-01T10:00:00Z';
const usage = (model: string, input_tokens: number) => ({
  usage: { [model]: { requests: 1, input_tokens, output_tokens: 100 } },
});

const EVERY_KIND = {
  input_tokens: 500,
  cache_read_tokens: 300,
  cache_write_tokens: 100,
  output_tokens: 60,
  reasoning_tokens: 40,
};

const memoryService = useMemoryService(async (reader) => {
  await reader.costs.create({ 'gpt-x': { prompt_token_cost: 0.001, completion_token_cost: 0.01 } });
  await reader.calls.write([
    ...ticketTrace(DAY),
    ...recorded(DAY, [9000, 9100], { id: 'plain', trace_id: 'plain', op_name: 'tick', inputs: { q: 'hello' } }),
    ...recorded(DAY, [9200, 9900], {
      id: 'other',
      trace_id: 'other',
      op_name: 'chat',
      summary: { usage: { 'claude-y': { requests: 1, ...EVERY_KIND } } },
    }),
    ...recorded(DAY, [9300, 9900], { id: 'cheap', trace_id: 'cheap', op_name: 'chat', summary: usage('gpt-x', 10) }),
    ...recorded(DAY, [9400, null], { id: 'open', trace_id: 'open', op_name: 'watch' }),
  ]);
});

/** Each with what a query can ask, and with what only calls can answer. */
const FILTERS = [
  ['', 5],
  ['cost>2', 1],
  ['cost<2', 1],
  ['-has:cost', 3],
  ['model:gpt*', 2],
  ['model:*Y*', 1],
  ['-model:gpt* op:chat,tick', 2],
  ['tokens>1000', 1],
  ['tokens.in<=10', 1],
  ['status:never', 1],
  ['status:error,never', 2],
  ['status:running', 0],
  ['hello or cost>2', 2],
  ['op:chat', 2],
] as const;

test.each(FILTERS)('ls and stats agree on "%s"', async (filter, count) => {
  const service = memoryService();
  const listed = await service.run('ls', '--json', '--limit', '50', ...(filter === '' ? [] : ['-f', filter]));
  const summed = await service.run('stats', '--json', '--roots', ...(filter === '' ? [] : ['-f', filter]));
  expect([listed.stderr, summed.stderr]).toEqual(['', '']);
  expect(JSON.parse(listed.stdout)).toHaveLength(count);
  expect(JSON.parse(summed.stdout)).toMatchObject({ count });
});

test('stats says in words what the calls of a filter add up to', async () => {
  const { stdout, stderr, code } = await memoryService().run('stats', '-f', 'model:gpt* op:chat', '--by', 'op');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout.split('\n')).toEqual([
    '3 calls · 0 failed',
    'started 2026-01-01 10:00:00 to 2026-01-01 10:00:09',
    expect.stringMatching(/^latency p50 \d/),
    'tokens 4,012 (3,810 in, 202 out)',
    expect.stringMatching(/^cost \$5\.8/),
    '',
    expect.stringMatching(/^a bar is \d+ ms, the highest 1 call$/),
    expect.stringMatching(/^calls {3}█ +█ +█$/),
    expect.stringMatching(/^ {8}\d\d:\d\d:00 +\d\d:\d\d:04 +\d\d:\d\d:09$/),
    '',
    expect.stringMatching(/^op +calls$/),
    expect.stringMatching(/^chat +3$/),
    '',
    expect.stringMatching(/^model +calls +tokens +cost$/),
    expect.stringMatching(/^gpt-x +3 +4,012 +\$5\.8/),
    '',
  ]);
});

test('stats counts calls over time, with errors and without', async () => {
  const service = memoryService();
  const { stdout } = await service.run('stats', '--json');
  const { count, errors, histogram } = JSON.parse(stdout) as CallsStatsResponse;
  const sumOf = (numbers: readonly number[] = []) => numbers.reduce((sum, each) => sum + each, 0);
  expect(histogram?.counts).toHaveLength(60);
  expect(sumOf(histogram?.counts)).toBe(count);
  expect(errors).toBeGreaterThan(0);
  expect(sumOf(histogram?.errors)).toBe(errors);
  expect((await service.run('stats')).stdout).toMatch(/\ncalls {3}\S.*\nfailed {2}.*\S\n/);
  // One moment is no time over which something is counted.
  expect((await service.run('stats', '-f', 'op:watch')).stdout).not.toContain('a bar is');
});

test('stats says how many tokens a cache and reasoning are charged for, where there are any', async () => {
  const { stdout } = await memoryService().run('stats', '-f', 'model:claude*');
  expect(stdout).toContain('\ntokens 1,000 (500 in, 300 cache read, 100 cache write, 60 out, 40 reasoning)\n');
});

test('stats calls what has no price so, in the sum as in the table', async () => {
  const { stdout } = await memoryService().run('stats', '-f', 'model:claude*');
  expect(stdout).toContain('\nno price: claude-y\n');
  expect(stdout).toMatch(/\nclaude-y +1 +1,000 +no price\n/);
  expect(stdout).not.toContain('unknown');
});

test('stats and tail point at what makes no sense', async () => {
  const service = memoryService();
  for (const command of ['stats', 'tail']) {
    const { stderr, code } = await service.run(command, '-f', 'op:a cost>much');
    expect(code).toBe(2);
    expect(stderr).toContain('character');
    expect(stderr).toContain('^');
  }
});

test('search goes on until it has as many as are wanted', async () => {
  const { stdout } = await memoryService().run('search', 'hello', '-f', 'cost>0 or op:tick', '--json');
  expect((JSON.parse(stdout) as { readonly id: string }[]).map(({ id }) => id)).toEqual(['plain', 'ticket-3']);
});

/** The lines of a command that is stopped when the test ends. */
function follow(...args: readonly string[]): {
  readonly next: () => Promise<string>;
  readonly ready: Promise<unknown>;
} {
  const { home } = memoryService();
  const program = join(ROOT, 'dist/cli/bin.cjs');
  const child = spawn(process.execPath, [program, 'tail', ...args, '--project', PROJECT], { env: environmentOf(home) });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = once(createInterface({ input: child.stderr }), 'line');
  return { ready, next: async () => String((await lines.next()).value) };
}

test('tail prints the calls that a filter means as they start and end', async () => {
  const { reader } = memoryService();
  const dear = follow('-f', 'model:gpt* cost>2');
  const all = follow('--roots', '--json');
  expect(String(await dear.ready)).toContain(`listening to ${PROJECT}`);
  await all.ready;
  const now = new Date().toISOString();
  const write = async (id: string, model: string, input: number, parent_id: string | null = null) =>
    await reader.calls.write(
      recorded(now, [0, 40], { id, trace_id: `t-${id}`, op_name: 'ask', parent_id, summary: usage(model, input) }),
    );
  await write('live-1', 'claude-y', 9000);
  await write('live-2', 'gpt-x', 1);
  await write('live-3', 'gpt-x', 9000);
  await write('live-4', 'gpt-x', 9000, 'live-3');
  expect(await dear.next()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\S.* {2}ask {2}40 ms {2}t-live-3$/);
  expect(await dear.next()).toContain('t-live-4');
  const told = [await all.next(), await all.next(), await all.next()].map((line) => JSON.parse(line) as object);
  expect(told).toMatchObject(['live-1', 'live-2', 'live-3'].map((id) => ({ kind: 'call', row: { id } })));
});
