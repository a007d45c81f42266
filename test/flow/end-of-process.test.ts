import { describe, expect, test } from 'vitest';
import { machinePerFile, projectOfTest } from './machine.ts';
import { type RunningProgram, startProgram, stepsOf, upTo } from './program.ts';

const machine = machinePerFile();

const start = (source: string, env: NodeJS.ProcessEnv = {}): RunningProgram =>
  startProgram(machine.home, source, { SPOOR_PROJECT: projectOfTest(), ...env });
const run = (source: string): RunningProgram['ended'] => start(source).ended;
const steps = (): Promise<number[]> => stepsOf(machine.service, projectOfTest());

const THOUSAND = 'for (let n = 0; n < 1000; n++) step(n);';

/** All thousand, at once or picked up from disk by the service. */
async function expectThousand(): Promise<void> {
  await expect.poll(steps).toEqual(upTo(1000));
}

test('a program that simply ends delivers all, and ends with code 0', async () => {
  expect(await run(THOUSAND)).toEqual({ code: 0, signal: null, stderr: '' });
  expect(await steps()).toEqual(upTo(1000));
});

test('a program of one call is sent at its end, without the way over the disk', async () => {
  const program = start(`step(0); process.on('exit', () => console.log(JSON.stringify(stats())));`);
  expect(JSON.parse(await program.line())).toMatchObject({ recorded: 2, sent: 2, spooled: 0 });
  expect(await program.ended).toMatchObject({ code: 0 });
  expect(await steps()).toEqual([0]);
});

test('a program that sets an exit code keeps it', async () => {
  expect(await run(`${THOUSAND} process.exitCode = 7;`)).toEqual({
    code: 7,
    signal: null,
    stderr: '',
  });
  await expectThousand();
});

test('process.exit at once loses nothing and keeps its code', async () => {
  expect(await run(`${THOUSAND} process.exit(3);`)).toEqual({ code: 3, signal: null, stderr: '' });
  await expectThousand();
});

test('process.exit while requests are under way loses nothing', async () => {
  const source = `${THOUSAND} setTimeout(() => process.exit(4), 60); setInterval(() => {}, 1000);`;
  expect(await run(source)).toEqual({ code: 4, signal: null, stderr: '' });
  await expectThousand();
});

test('an uncaught error loses nothing and ends the program as without us', async () => {
  const { code, signal, stderr } = await run(`${THOUSAND} throw new Error('boom');`);
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(stderr).toContain('Error: boom');
  await expectThousand();
});

test('an unhandled rejection loses nothing and ends the program as without us', async () => {
  const { code, stderr } = await run(`${THOUSAND} Promise.reject(new Error('boom'));`);
  expect(code).toBe(1);
  expect(stderr).toContain('Error: boom');
  await expectThousand();
});

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s', (name) => {
  test('without a handler ends the program by that signal, and all is delivered', async () => {
    const program = start(`${THOUSAND} setInterval(() => {}, 1000); console.log('ready');`);
    await program.line();
    program.child.kill(name);
    expect(await program.ended).toEqual({ code: null, signal: name, stderr: '' });
    await expectThousand();
  });

  test("with the application's handler does what that says", async () => {
    const source = `
      process.once('${name}', () => { step(999); process.exitCode = 5; clearInterval(timer); console.log('handled'); });
      for (let n = 0; n < 999; n++) step(n);
      const timer = setInterval(() => {}, 1000);
      console.log('ready');`;
    const program = start(source);
    await program.line();
    program.child.kill(name);
    expect(await program.line()).toBe('handled');
    expect(await program.ended).toEqual({ code: 5, signal: null, stderr: '' });
    await expectThousand();
  });

  test('with a handler that kills the process when it is the only one still does so', async () => {
    const source = `
      const onSignal = () => {
        if (process.listenerCount('${name}') > 1) return;
        process.off('${name}', onSignal);
        process.kill(process.pid, '${name}');
      };
      ${THOUSAND}
      process.on('${name}', onSignal);
      setInterval(() => {}, 1000);
      console.log('ready');`;
    const program = start(source);
    await program.line();
    program.child.kill(name);
    expect(await program.ended).toEqual({ code: null, signal: name, stderr: '' });
    await expectThousand();
  });
});

test.each([
  ['timers and connections of ours never keep', { SPOOR_RECORD_GIT: '0' }, 'TTY|Pipe|Immediate'],
  // What asks git may still be read from the disk.
  ['git that is asked does not keep', { SPOOR_RECORD_GIT: undefined }, 'TTY|Pipe|Immediate|FSReq'],
])('%s a program alive', async (_what, env, others) => {
  const source = `
    step(0);
    await flush();
    const idle = process.getActiveResourcesInfo().filter((name) => !/^(${others})/.test(name));
    console.log(JSON.stringify(idle));`;
  const program = start(source, env);
  expect(JSON.parse(await program.line())).toEqual([]);
  expect((await program.ended).code).toBe(0);
});

test('flush and shutdown resolve with what became of the records', async () => {
  const source = `
    ${THOUSAND}
    console.log(JSON.stringify(await flush()));
    step(1000);
    console.log(JSON.stringify(await shutdown()));
    step(1001);
    console.log(JSON.stringify(await flush()));`;
  const program = start(source);
  expect(JSON.parse(await program.line())).toEqual({ sent: 2000, spooled: 0, dropped: 0 });
  expect(JSON.parse(await program.line())).toEqual({ sent: 2002, spooled: 0, dropped: 0 });
  expect(JSON.parse(await program.line())).toEqual({ sent: 2, spooled: 0, dropped: 0 });
  expect((await program.ended).code).toBe(0);
  expect(await steps()).toEqual(upTo(1002));
});
