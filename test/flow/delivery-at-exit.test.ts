import { describe, expect, test } from 'vitest';
import { expectSteps, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';

// Ends at once, of which nobody may be left to deliver what is on disk.

const way = useFaultyWay();

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';

describe('all has arrived, and nothing is left on disk, when a program that has reached its service ends by', () => {
  test.each([
    ['process.exit', 'process.exit(9);', 9],
    ['an uncaught error', "throw new Error('boom');", 1],
    ['an unhandled rejection', "Promise.reject(new Error('boom'));", 1],
  ])('%s', async (_name, end, code) => {
    const source = `step(100); await flush(); ${HUNDRED} ${end}`;
    expect(await runProgram(way.home, source, way.environment())).toMatchObject({ code, signal: null });
    expect(await way.steps()).toEqual(upTo(101));
    expect(way.segments()).toEqual([]);
  });
});

test('a service that falls silent holds process.exit for two seconds at most, and nothing is lost', async () => {
  const source = `
    step(100);
    await flush();
    process.stdin.once('data', () => {
      ${HUNDRED}
      process.on('exit', () => process.stdout.write(Date.now() + '\\n'));
      process.exit(9);
    });
    console.log('flushed');`;
  const program = startProgram(way.home, source, way.environment());
  await program.line();
  way.proxy.plan = () => ({ kind: 'hang' });
  program.child.stdin?.write('go');
  const calledAt = Number(await program.line());
  expect(await program.ended).toMatchObject({ code: 9, signal: null });
  // The system needs time of its own to end a process.
  expect(Date.now() - calledAt).toBeLessThan(4000);
  way.proxy.plan = () => undefined;
  await expectSteps(way, 101);
});

test('calls made in an exit handler that runs after ours are kept', async () => {
  const source = `${HUNDRED} process.on('exit', () => step(100)); process.exit(0);`;
  expect(await runProgram(way.home, source, way.environment())).toEqual({ code: 0, signal: null, stderr: '' });
  await expectSteps(way, 101);
});
