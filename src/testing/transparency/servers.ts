import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Gate, type GateMode, openGate } from './gate.ts';
import type { Bench, TransparencyKit } from './kit.ts';
import type { RecordingTarget } from './subject.ts';
import { turns } from './watching.ts';

const SERVERS: Readonly<Record<GateMode, string>> = {
  slow: 'answers in one second',
  hanging: 'hangs',
  refusing: 'refuses connections',
  missing: 'does not exist',
};

/** A result that is not there by then waits for the server. */
const PATIENCE_MS = 3_000;

/** The behaviour of calls while recording has not begun, is over, or gets nowhere. */
export function serversTransparency({ check }: TransparencyKit): void {
  for (const [mode, does] of Object.entries(SERVERS) as [GateMode, string][]) {
    check(`a result is not delayed by a server that ${does}, the first call of an op included`, {
      needs: ['start', 'stop'],
      run: async (bench) =>
        await behindGate(bench, mode, async (gate) => [await workThrice(bench, gate), gate?.answers() ?? 0]),
      sees: [[2, 4, 'sync'], 0],
      calls: [
        { op: 'work', inputs: [1], output: 2 },
        { op: 'work', inputs: [2], output: 4 },
        { op: 'value', output: 'sync' },
      ],
    });
  }

  check('a function that was wrapped before recording began is recorded once it has', {
    needs: ['start', 'stop'],
    run: async ({ wrap, subject, target }) => {
      await subject.stop?.();
      const run = wrap((n: number) => n + 1, 'run');
      await begin(subject, target);
      return run(1);
    },
    sees: 2,
    calls: [{ op: 'run', inputs: [1], output: 2 }],
  });

  check('a function works after recording has ended, and is recorded when it begins again', {
    needs: ['start', 'stop'],
    run: async ({ wrap, subject, target }) => {
      const run = wrap(async (n: number) => n + 1, 'run');
      const before = await run(1);
      await subject.stop?.();
      const meanwhile = await run(2);
      await subject.stop?.();
      await begin(subject, target);
      return [before, meanwhile, await run(3)];
    },
    sees: [2, 3, 4],
    calls: (calls) => {
      const outputs = calls.map(({ output }) => output);
      // What happens in between may be recorded by whoever begins by himself.
      assert.deepEqual(
        outputs.filter((output) => output !== 3),
        [2, 4],
      );
    },
  });

  check('a call that is under way when recording ends comes to its end', {
    needs: ['start', 'stop'],
    run: async ({ wrap, subject, target }) => {
      let finish: (text: string) => void = () => undefined;
      const run = wrap(async () => await new Promise<string>((resolve) => (finish = resolve)), 'run');
      const running = run();
      await subject.stop?.();
      finish('finished');
      const result = await running;
      await begin(subject, target);
      return result;
    },
    sees: 'finished',
    calls: ([call]) => assert.equal(call?.op, 'run'),
  });

  check('a function works without anybody having begun to record', {
    needs: ['start', 'stop'],
    run: async ({ wrap, subject, target }) => {
      await subject.stop?.();
      const run = wrap((n: number) => n + 1, 'run');
      const without = run(1);
      await subject.stop?.();
      await begin(subject, target);
      return [without, run(2)];
    },
    sees: [2, 3],
    calls: (calls) => assert.equal(calls.at(-1)?.output, 3),
  });
}

/** The second and third call are made while the server has the first one in its hands. */
async function workThrice({ wrap, subject }: Bench, gate: Gate | undefined): Promise<unknown[]> {
  const work = wrap(async (n: number) => {
    await turns(1);
    return n * 2;
  }, 'work');
  const value = wrap(() => 'sync', 'value');
  const inTime = async (result: Promise<unknown>) =>
    await Promise.race([result, sleep(PATIENCE_MS, 'delayed', { ref: false })]);
  const first = await inTime(work(1));
  const { patienceMs } = subject;
  await Promise.race([gate?.reached, sleep(patienceMs ?? PATIENCE_MS, undefined, { ref: false })]);
  return [first, await inTime(work(2)), value()];
}

async function begin(subject: Bench['subject'], target: RecordingTarget | undefined): Promise<void> {
  if (target !== undefined) await subject.start?.(target);
}

/** Records through a gate while `act` runs; afterwards what was recorded gets through, and all is as before. */
async function behindGate(
  { subject, target, isBare }: Bench,
  mode: GateMode,
  act: (gate: Gate | undefined) => Promise<unknown>,
): Promise<unknown> {
  if (isBare || target === undefined) return await act(undefined);
  const gate = await openGate(target.url, mode);
  await subject.stop?.();
  await subject.start?.({ ...target, url: gate.url });
  try {
    return await act(gate);
  } finally {
    await gate.release();
    await subject.flush?.();
    await subject.stop?.();
    await gate.close();
    await subject.start?.(target);
  }
}
