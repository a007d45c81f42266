import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { expectSteps, useFaultyWay } from './faulty-way.ts';
import { type RunningProgram, startProgram } from './program.ts';

const way = useFaultyWay();

const THOUSAND = 'for (let n = 0; n < 1000; n++) step(n);';
const GO_ON = 'setInterval(() => {}, 1000);';

/**
 * Prints a line when all handlers of a signal have run, without being one, and calls what the program has for then. Stands
 * before what it is to see.
 */
const TELL = `
  const { emit } = process;
  process.emit = function (name, ...args) {
    const isHandled = Reflect.apply(emit, this, [name, ...args]);
    if (/^SIG[A-Z]+$/.test(name)) {
      console.log('handled');
      globalThis.whenHandled?.();
    }
    return isHandled;
  };`;

function start(source: string, more: NodeJS.ProcessEnv = {}): RunningProgram {
  return startProgram(way.home, `${TELL} ${source} console.log('ready'); ${GO_ON}`, way.environment(more));
}

function textOnDisk(): string {
  return way
    .segments()
    .map((file) => readFileSync(join(way.home, 'spool', file), 'utf8'))
    .join('');
}

function recordsOnDisk(): number {
  return textOnDisk()
    .split('\n')
    .filter((line) => line.startsWith('{"mode":')).length;
}

async function signalThenKill(program: RunningProgram, signal: NodeJS.Signals): Promise<void> {
  program.child.kill(signal);
  expect(await program.line()).toBe('handled');
  program.child.kill('SIGKILL');
  await program.ended;
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

describe.each(SIGNALS)('%s, and kill -9 right after it has been handled, loses nothing', (signal) => {
  test('of what was recorded', async () => {
    way.proxy.plan = () => ({ kind: 'hang' });
    const program = start(THOUSAND);
    await program.line();
    await signalThenKill(program, signal);
    expect(recordsOnDisk()).toBe(2000);
    way.proxy.plan = () => undefined;
    await expectSteps(way, 1000);
  });

  test('of what is under way', async () => {
    way.proxy.plan = () => ({ kind: 'hang' });
    const program = start(`${THOUSAND} spoor.publish({ model: 'm' }, 'settings');`, { SPOOR_TIMEOUT_MS: '60000' });
    await program.line();
    await vi.waitFor(() => expect(way.proxy.requests.length).toBeGreaterThanOrEqual(2), { timeout: 20_000 });
    await signalThenKill(program, signal);
    expect(recordsOnDisk()).toBe(2000);
    expect(textOnDisk()).toContain('"settings"');
    way.proxy.plan = () => undefined;
    await expectSteps(way, 1000);
  });

  test('of what is under way, where the program has a handler of its own', async () => {
    way.proxy.plan = () => ({ kind: 'hang' });
    const program = start(`process.on('${signal}', () => {}); ${THOUSAND}`, { SPOOR_TIMEOUT_MS: '60000' });
    await program.line();
    await vi.waitFor(() => expect(way.proxy.requests.length).toBeGreaterThan(0), { timeout: 20_000 });
    await signalThenKill(program, signal);
    expect(recordsOnDisk()).toBe(2000);
  });
});

/** Records in no full batch, in one, in just more than one, and in many. */
const GROWN = [1, 1024, 1025, 10_000].flatMap((count) => [
  { count, durability: 'exit' },
  { count, durability: 'crash' },
]);

test.each(GROWN)(
  'kill -9 right after SIGTERM loses none of $count calls with durability $durability',
  async (given) => {
    way.proxy.plan = () => ({ kind: 'hang' });
    const program = start(`for (let n = 0; n < ${given.count}; n++) step(n);`, {
      SPOOR_DURABILITY: given.durability,
      SPOOR_TIMEOUT_MS: '60000',
    });
    await program.line();
    await signalThenKill(program, 'SIGTERM');
    expect(recordsOnDisk()).toBe(2 * given.count);
  },
);

test.each(SIGNALS)(
  '%s: all is on disk before code of the program makes the output of an open stream',
  async (signal) => {
    way.proxy.plan = () => ({ kind: 'hang' });
    const source = `
    const aggregate = () => process.kill(process.pid, 'SIGKILL');
    const open = traced(function* numbers() { yield 1; yield 2; }, { op: false, aggregate })();
    open.next();`;
    const program = start(`${THOUSAND} ${source}`, { SPOOR_TIMEOUT_MS: '60000' });
    await program.line();
    program.child.kill(signal);
    expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(recordsOnDisk()).toBe(2001);
  },
);

test('what is recorded while the process waits for its end is on disk at once', async () => {
  way.proxy.plan = () => ({ kind: 'hang' });
  // In the turn of the signal and the one behind it: later, on a busy machine, the process may have ended by itself.
  const late = `
    globalThis.whenHandled = () => {
      for (let n = 1000; n < 1010; n++) step(n);
      setImmediate(() => process.kill(process.pid, 'SIGKILL'));
    };`;
  const program = start(`${THOUSAND} ${late}`);
  await program.line();
  program.child.kill('SIGTERM');
  expect(await program.line()).toBe('handled');
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
  expect(recordsOnDisk()).toBe(2020);
});

const AS_FIRST = ['unshare', '--pid', '--fork', '--kill-child'] as const;
const canBeFirst = spawnSync(AS_FIRST[0], [...AS_FIRST.slice(1), 'true']).status === 0;

describe.skipIf(!canBeFirst)('the first process of a container, which no signal ends that it does not handle,', () => {
  test.each(SIGNALS)('goes on recording and reading streams after %s, with all on disk', async (signal) => {
    way.proxy.plan = () => ({ kind: 'hang' });
    const source = `
      const open = traced(function* numbers() { yield 1; yield 2; }, { op: false })();
      open.next();
      process.stdin.once('data', () => process.kill(process.pid, '${signal}'));
      process.stdin.on('data', (said) => {
        if (String(said) !== 'next') return;
        console.log(JSON.stringify([process.pid, open.next(), open.next()]));
        process.kill(process.pid, '${signal}');
      });`;
    const program = startProgram(
      way.home,
      `${TELL} ${THOUSAND} ${source} console.log('ready'); ${GO_ON}`,
      way.environment(),
      { through: AS_FIRST },
    );
    expect(await program.line()).toBe('ready');
    program.child.stdin?.write('signal');
    expect(await program.line()).toBe('handled');
    expect(recordsOnDisk()).toBeGreaterThanOrEqual(2000);
    program.child.stdin?.write('next');
    expect(JSON.parse(await program.line())).toEqual([1, { value: 2, done: false }, { done: true }]);
    expect(await program.line()).toBe('handled');
    expect(textOnDisk()).toContain('"output":[1,2]');
    expect(textOnDisk()).not.toContain('abandoned');
    program.child.kill('SIGKILL');
    await program.ended;
  });
});

test.each(canBeFirst ? [] : SIGNALS)(
  'SKIPPED where no program can be the first of a container: that it goes on after %s',
  () => {
    expect(canBeFirst).toBe(false);
  },
);

test('who shuts recording down when a signal comes has no handlers but his own then', async () => {
  const source = `
    process.on('SIGHUP', async () => {
      await shutdown();
      setTimeout(() => console.log('handlers ' + process.listenerCount('SIGHUP')), 50);
    });`;
  const program = start(`${source} step(1); await flush();`);
  await program.line();
  program.child.kill('SIGHUP');
  expect(await program.line()).toBe('handled');
  expect(await program.line()).toBe('handlers 1');
  program.child.kill('SIGKILL');
  await program.ended;
});

test('who asks twice does not wait, and the second signal ends the process', async () => {
  way.proxy.plan = () => ({ kind: 'hang' });
  // Both are there before the first is handled: between them no time passes, however busy the machine is.
  const twice = `process.stdin.once('data', () => {
    process.kill(process.pid, 'SIGINT');
    process.kill(process.pid, 'SIGTERM');
  });`;
  const program = start(`${THOUSAND} ${twice}`, { SPOOR_TIMEOUT_MS: '60000' });
  await program.line();
  program.child.stdin?.write('end');
  expect(await program.line()).toBe('handled');
  expect(await program.ended).toMatchObject({ code: null, signal: 'SIGTERM' });
  expect(recordsOnDisk()).toBe(2000);
});

test('processes that a program has forked end by the signal too, and nothing of theirs is lost', async () => {
  const source = `
    import { fork } from 'node:child_process';
    import { once } from 'node:events';
    if (process.argv[2] === undefined) {
      const children = [1, 2].map((part) => fork(new URL(import.meta.url), [String(part)]));
      for (let n = 0; n < 100; n++) step(n);
      await Promise.all(children.map((child) => once(child, 'message')));
      process.stdin.once('data', async () => {
        const ends = children.map((child) => once(child, 'exit'));
        for (const child of children) child.kill('SIGTERM');
        for (const [, signal] of await Promise.all(ends)) console.log(signal);
        process.kill(process.pid, 'SIGTERM');
      });
    } else {
      const first = 100 * Number(process.argv[2]);
      for (let n = first; n < first + 100; n++) step(n);
      process.send('recorded');
    }`;
  const program = startProgram(way.home, `${source} console.log('ready'); ${GO_ON}`, way.environment());
  for (let ready = 0; ready < 3; ready++) expect(await program.line()).toBe('ready');
  program.child.stdin?.write('end');
  expect([await program.line(), await program.line()]).toEqual(['SIGTERM', 'SIGTERM']);
  expect(await program.ended).toEqual({ code: null, signal: 'SIGTERM', stderr: '' });
  await expectSteps(way, 300);
});
