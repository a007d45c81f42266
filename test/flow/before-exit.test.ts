import { describe, expect, test } from 'vitest';
import { useFaultyWay } from './faulty-way.ts';
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
