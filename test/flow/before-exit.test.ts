import { describe, expect, test } from 'vitest';
import { expectSteps, useFaultyWay } from './faulty-way.ts';
import { startProgram, upTo } from './program.ts';

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
    expect(await way.steps()).toEqual(upTo(100));
    expect(way.segments()).toEqual([]);
  });
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
  expect(await way.steps()).toEqual(upTo(100));
});
