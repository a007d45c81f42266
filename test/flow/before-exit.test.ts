import { describe, expect, test } from 'vitest';
import { expectSteps, PATIENT, useFaultyWay } from './faulty-way.ts';
import { startProgram } from './program.ts';

const way = useFaultyWay();

/** What a program prints that counts how often it is told that nothing is left to do. */
async function toldBy(source: string, env: NodeJS.ProcessEnv): Promise<string> {
  const counting = `let told = 0; process.on('beforeExit', () => { told++; });
    process.on('exit', () => process.stdout.write('told ' + told + '\\n'));`;
  const program = startProgram(way.home, `${counting} ${source}`, env);
  const line = await program.line();
  expect(await program.ended).toMatchObject({ code: 0, signal: null });
  return line;
}

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';

/** Says once more what it is told, when it is told the first time. */
const sayAgain = (event: string) => `process.prependOnceListener('${event}', () => process.emit('beforeExit', 0));`;

/** As libraries do that want to know of all ends; `inside` runs while it is so. */
const wrapped = (inside: string, after = '') =>
  `{ const original = process.emit;
     process.emit = function (...args) { return Reflect.apply(original, this, args); };
     ${inside}
     ${after && 'process.emit = original;'} ${after} }`;

const REST = 'for (let n = 1; n < 100; n++) step(n);';

describe('beforeExit comes as often as without us, and all is delivered, in a program that', () => {
  test.each([
    ['ends at once', HUNDRED],
    ['ends after a timer', `setTimeout(() => { ${HUNDRED} }, 10);`],
    ['flushed before', `${HUNDRED} await flush();`],
    ['calls in the handler', `process.once('beforeExit', () => { ${HUNDRED} });`],
    ['calls in each handler', `let n = 0; process.on('beforeExit', () => { while (n < 100) step(n++); });`],
    [
      'goes on in the handler, and calls then',
      `let n = 0; process.on('beforeExit', () => { if (n < 100) setTimeout(() => { for (let end = n + 25; n < end; n++) step(n); }, 1); });`,
    ],
    [
      'calls in the handler and goes on',
      `let n = 0; process.on('beforeExit', () => { if (n < 100) { for (let end = n + 25; n < end; n++) step(n); setImmediate(() => {}); } });`,
    ],
    [
      'says so itself, too',
      `${HUNDRED} process.emit('beforeExit', 0); setTimeout(() => process.emit('beforeExit', 0), 5);`,
    ],
    ['says so in its own handlers', `${HUNDRED} ${sayAgain('beforeExit')} ${sayAgain('exit')}`],
    ['says so later, with its own emit over', `step(0); ${wrapped(REST)} await null; process.emit('beforeExit', 0);`],
    ['says so where errors have no stack', `Error.stackTraceLimit = 0; ${HUNDRED} process.emit('beforeExit', 0);`],
    ['is told once', `${HUNDRED} process.once('beforeExit', () => { told += 10; });`],
    ['has put its own emit below', wrapped(HUNDRED)],
    ['has put its own emit over', `step(0); ${wrapped(REST)}`],
    ['has its own emit on both sides', wrapped(`step(0); ${wrapped(REST)}`)],
    ['takes its own emit away from below', wrapped('step(0);', REST)],
    ['puts its own emit over, and away', `step(0); ${wrapped('step(1);', 'for (let n = 2; n < 100; n++) step(n);')}`],
    ['shuts down and goes on', `step(0); await spoor.shutdown(); ${REST}`],
    [
      'says so where stacks are lists',
      `Error.prepareStackTrace = (_, sites) => sites; ${HUNDRED} process.emit('beforeExit', 0);`,
    ],
  ])('%s', async (_name, source) => {
    const bare = await toldBy(source, { SPOOR_DISABLED: '1' });
    expect(await toldBy(source, way.environment())).toBe(bare);
    await expectSteps(way, 100);
  });
});

/** What is delivered before the handlers of `exit` run did not stop the process from ending. */
describe('all is delivered at a natural end, before it is over, in a program that', () => {
  const asItEnds = `process.prependListener('exit', (code) => console.log(JSON.stringify([code, stats().sent, performance.now()])));`;
  test.each<[string, string, readonly string[]]>([
    ['does nothing about it', HUNDRED, []],
    ['uses domains', `await import('node:domain'); ${HUNDRED}`, []],
    ['begins with domains afterwards', `${HUNDRED} await import('node:domain');`, []],
    ['has put its own emit over', `step(0); ${wrapped(REST)}`, []],
    ['has put several over', `step(0); ${wrapped(wrapped(wrapped(REST)))}`, []],
    ['has frozen Error', `${HUNDRED} Object.freeze(Error);`, []],
    [
      'has stacks of a length of its own',
      `${HUNDRED} Object.defineProperty(Error, 'stackTraceLimit', { value: 3 });`,
      [],
    ],
    ['has no stacks', `${HUNDRED} Object.defineProperty(Error, 'stackTraceLimit', { value: 0 });`, []],
    [
      'complains when somebody touches its stacks',
      `${HUNDRED} for (const name of ['stackTraceLimit', 'prepareStackTrace']) {
         const no = () => { throw new Error('no'); };
         Object.defineProperty(Error, name, { get: no, set: no });
       }`,
      [],
    ],
    ['runs with frozen intrinsics', HUNDRED, ['--frozen-intrinsics']],
  ])('%s', async (_name, source, flags) => {
    const env = way.environment({ ...PATIENT, NODE_NO_WARNINGS: '1' });
    const program = startProgram(way.home, `${asItEnds} ${source}`, env, { flags });
    const [code, sent, tookMs] = JSON.parse(await program.line()) as [number, number, number];
    // A natural end takes two seconds at most; what it was too slow for is on disk.
    expect([code, tookMs < 2000 ? sent : 200]).toEqual([0, 200]);
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    await expectSteps(way, 100);
  });
});

test('who goes on after an end that was given up has the time for another one', async () => {
  way.proxy.plan = () => ({ kind: 'answer', status: 503 });
  const source = `step(0);
    process.once('beforeExit', () => {
      console.log('told');
      setTimeout(() => step(1), 2500);
    });
    process.prependListener('exit', () => console.log(JSON.stringify(stats().dropped)));`;
  // No disk, so that what is not sent is lost.
  const program = startProgram(way.home, source, way.environment({ SPOOR_HOME: '/dev/null' }));
  expect(await program.line()).toBe('told');
  way.proxy.plan = () => undefined;
  expect(await program.line()).toBe('0');
  expect((await program.ended).code).toBe(0);
  expect(await way.steps()).toEqual([0, 1]);
});

test('a service that does not answer changes nothing about it', async () => {
  way.proxy.plan = () => ({ kind: 'hang' });
  expect(await toldBy(HUNDRED, way.environment())).toBe('told 1');
});

test('who makes the first call in a handler of exit keeps it on disk', async () => {
  const source = `process.prependListener('exit', () => { ${HUNDRED} });`;
  expect(await toldBy(source, way.environment())).toBe('told 1');
  await expectSteps(way, 100);
});

test('what the program can see of it is as without us', async () => {
  const seen = `const see = () => JSON.stringify([process.emit.name, process.emit.length, Object.keys(process).includes('emit'),
    process.listenerCount('beforeExit'), process.emit('beforeExitOfNobody'), process.rawListeners('beforeExit').length]);`;
  const source = `${seen} const before = see(); step(0); const during = see(); await spoor.shutdown();
    console.log(JSON.stringify([before === during, before === see(), Object.hasOwn(process, 'emit')]));`;
  const program = startProgram(way.home, source, way.environment());
  expect(JSON.parse(await program.line())).toEqual([true, true, false]);
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
});

test('where emit cannot be replaced all is delivered, too', async () => {
  const source = `Object.defineProperty(process, 'emit', { value: process.emit, configurable: false, writable: false }); ${HUNDRED}`;
  expect(await toldBy(source, way.environment())).toMatch(/^told /);
  await expectSteps(way, 100);
});
