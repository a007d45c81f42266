import { describe, expect, test, vi } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { useFaultyWay } from './faulty-way.ts';
import { readerOf, startProgram } from './program.ts';
import { runCli } from './service-process.ts';

// Calls that were started and never end.

const way = useFaultyWay();

async function openCalls(): Promise<Call[]> {
  const calls: Call[] = [];
  for await (const call of readerOf(way.service, way.project).calls.query({ filter: { op_names: ['open'] } })) {
    calls.push(call);
  }
  return calls;
}

describe('the memory of calls that nobody can end any more is free again, when they', () => {
  test.each([
    ['were started by hand', "spoor.startCall('open', { text });"],
    ['wait for a promise that nobody settles', 'void waiting(text);'],
    ['have a stream that nobody reads', 'streaming(text);'],
  ])('%s', { timeout: 60_000 }, async (_name, begin) => {
    const source = `
      import { setImmediate as turn } from 'node:timers/promises';
      const waiting = traced(function open(text) { return new Promise(() => {}); }, { op: false });
      const streaming = traced(async function* open(text) { yield text; }, { op: false });
      // The heap after so many calls more, and once all that was recorded has left.
      const grow = async (count) => {
        for (let n = 0; n < count; n++) {
          const text = String(n).padEnd(2000, 'x');
          ${begin}
          if (n % 200 === 0) await flush();
        }
        for (let round = 0; round < 5; round++) { await flush(); await turn(); gc(); }
        return process.memoryUsage().heapUsed;
      };
      const before = await grow(2000);
      const after = await grow(8000);
      const { recorded, queued, sent } = stats();
      console.log(JSON.stringify({ perCall: (after - before) / 8000, recorded, queued, sent }));`;
    const program = startProgram(way.home, source, way.environment(), { flags: ['--expose-gc'] });
    const { perCall, recorded, queued, sent } = JSON.parse(await program.line()) as Record<string, number>;
    expect({ queued, sent }).toEqual({ queued: 0, sent: recorded });
    expect(recorded).toBeGreaterThanOrEqual(10_000);
    // What each one held was above 2000 bytes.
    expect(perCall).toBeLessThan(200);
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('a call that was started is shown as running while its program runs', async () => {
  const program = startProgram(
    way.home,
    "const open = spoor.startCall('open', {}); setInterval(() => open, 1000); console.log('started');",
    way.environment(),
  );
  await program.line();
  await vi.waitFor(async () => expect(await openCalls()).toMatchObject([{ ended_at: null }]), { timeout: 10_000 });
  const [call] = await openCalls();
  expect(call?.summary).toMatchObject({ svc: { status: 'running' } });
  const { stdout } = await runCli(way.home, 'show', ...connection(), call?.trace_id ?? '');
  expect(stdout).toMatch(/… open +running/);
  const listed = await runCli(way.home, 'ls', ...connection(), '--status', 'running');
  expect(listed.stdout).toContain('open');
  program.child.kill('SIGKILL');
  await program.ended;
});

test('a call whose program was killed is shown as never ended, and so is what it had started', async () => {
  const program = startProgram(
    way.home,
    `const open = traced(() => new Promise(() => setInterval(() => {}, 1000)), { name: 'open', op: false });
     const outer = traced(() => open(), { name: 'outer', op: false });
     void outer();
     console.log('started');`,
    way.environment(),
  );
  await program.line();
  await vi.waitFor(async () => expect(await openCalls()).toMatchObject([{ ended_at: null }]), { timeout: 10_000 });
  const [call] = await openCalls();
  const shown = async (...args: string[]) => (await runCli(way.home, 'show', ...connection(), ...args)).stdout;
  expect(await shown(call?.trace_id ?? '')).toMatch(/… outer +running\n└─ … open +running/);
  program.child.kill('SIGKILL');
  await program.ended;
  const whole = await shown(call?.trace_id ?? '');
  expect(whole).toMatch(/^outer · never ended · 2 calls\n/);
  expect(whole).toMatch(/◐ outer +never ended\n└─ ◐ open +never ended/);
  expect(await shown(call?.id ?? '', '--full')).toMatch(/◐ open +never ended/);
  const sent = JSON.parse(await shown(call?.trace_id ?? '', '--json')) as { calls: Call[] };
  expect(sent.calls.map(({ summary }) => summary)).toMatchObject([
    { svc: { status: 'running' } },
    { svc: { status: 'running' } },
  ]);
  const listed = await runCli(way.home, 'ls', ...connection(), '--status', 'running');
  expect(listed.stdout).toMatch(/outer +never ended/);
});

function connection(): string[] {
  const { url, apiKey } = way.service;
  return ['--url', url, '--key', apiKey, '--project', way.project];
}
