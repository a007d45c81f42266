import { describe, expect, test } from 'vitest';
import { callsOf, UserProject } from '../register/program.ts';
import { machinePerFile } from './machine.ts';
import { ROOT } from './service-process.ts';

// Programs and test suites whose time stands still, or whose chance is none: they record as all others do.

const machine = machinePerFile();

/** Calls that have arrived and ended, by their outputs. */
async function outputs(): Promise<number[]> {
  const calls = await callsOf(machine.service);
  return calls
    .filter(({ ended_at: endedAt }) => endedAt)
    .map(({ output }) => Number(output))
    .toSorted((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const STEP = 'const step = traced(function step(n) { return n; }, { op: false });\n';

/** What a user puts in the place of globals, by what it is. `late`: before this package is loaded. */
const VITEST_FAKES = {
  defaults: 'vi.useFakeTimers();',
  'another time': 'vi.useFakeTimers({ now: 0 });',
  'the date alone': "vi.useFakeTimers({ toFake: ['Date'], now: 0 });",
  'all that can be': `vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval',
    'setImmediate', 'clearImmediate', 'Date', 'performance', 'queueMicrotask', 'hrtime'] });`,
  spies: `vi.spyOn(Date, 'now').mockReturnValue(0); vi.spyOn(performance, 'now').mockReturnValue(0);
    vi.spyOn(Math, 'random').mockReturnValue(0); vi.spyOn(crypto, 'randomUUID').mockReturnValue('1');
    vi.spyOn(crypto, 'randomFillSync').mockImplementation((bytes) => bytes);
    vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0); vi.spyOn(globalThis, 'setImmediate').mockReturnValue(0);`,
  'stubbed globals':
    "for (const name of ['fetch', 'queueMicrotask', 'structuredClone']) vi.stubGlobal(name, () => {});",
};

describe.each(Object.entries(VITEST_FAKES))('in a run of vitest with %s', (name, fakes) => {
  const isLate = name === 'defaults' || name === 'all that can be';
  test.each(isLate ? ['loaded before', 'loaded after'] : ['loaded before'])('%s', async (when) => {
    const load = "const { flush, traced } = await import('spoor');\n" + STEP;
    const [before, after] = when === 'loaded before' ? [load, ''] : ['', load];
    const project = new UserProject({
      'vitest.config.mjs':
        "export default { test: { testTimeout: 60000, server: { deps: { external: [/dist/] } }, include: ['*.test.mjs'] } };",
      'suite.test.mjs': `import crypto from 'node:crypto';
        import { afterEach, expect, test, vi } from 'vitest';
        ${before}
        afterEach(() => { vi.useRealTimers(); vi.restoreAllMocks(); vi.unstubAllGlobals(); });
        test('records', async () => {
          ${fakes}
          ${after}
          for (let n = 0; n < 100; n++) step(n);
          const result = await flush({ timeoutMs: 20000 });
          for (let n = 100; n < 110; n++) step(n);
          vi.useRealTimers(); vi.restoreAllMocks(); vi.unstubAllGlobals();
          expect(result).toEqual({ sent: 200, spooled: 0, dropped: 0 });
          await flush({ timeoutMs: 20000 });
        });`,
    }).link('vitest');
    const startedAt = Date.now();
    const { code, stdout, stderr } = await project.run([`${ROOT}node_modules/vitest/vitest.mjs`, 'run'], machine.home);
    expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
    expect(await outputs()).toEqual(upTo(110));
    for (const call of await callsOf(machine.service)) {
      // Time as it is: ids and times are in the order of events.
      expect(Date.parse(call.started_at)).toBeGreaterThanOrEqual(startedAt - 1000);
      expect(Date.parse(call.started_at)).toBeLessThanOrEqual(Date.now() + 1000);
    }
  });
});

/** What libraries put in the place of a function of Node, that do something and pass on. */
const PASSING = `const { nextTick } = process;
  process.nextTick = function (...args) { return Reflect.apply(nextTick, this, args); };`;

test.each([
  ['nothing', ''],
  ['another one', PASSING],
  ['two others', PASSING.replace('const', 'var') + `{ ${PASSING} }`],
])('ticks that pass by %s are no reason for a thread', async (_what, source) => {
  const project = new UserProject({
    'program.mjs': `import { flush, traced } from 'spoor';
      let workers = 0;
      process.on('worker', () => workers++);
      ${source}
      ${STEP}
      step(0);
      const { sent } = await flush({ timeoutMs: 20000 });
      console.log(sent, workers);`,
  });
  expect(await project.run(['program.mjs'], machine.home)).toMatchObject({ code: 0, stderr: '', stdout: '2 0\n' });
});

describe.each([
  ['loaded before', "import { flush, traced } from 'spoor';", ''],
  ['loaded after', '', "const { flush, traced } = await import('spoor');"],
])('in a program whose time @sinonjs/fake-timers holds with all that goes on by itself, %s', (_when, before, after) => {
  test.each([
    ['at a flush', 'const { sent } = await flush({ timeoutMs: 20000 }); if (sent !== 200) throw new Error(sent);'],
    ['at its natural end', ''],
    ['at process.exit()', 'process.exit(0);'],
  ])('all arrives %s', async (_moment, end) => {
    const project = new UserProject({
      'program.mjs': `import { install } from '@sinonjs/fake-timers';
        ${before}
        install({ now: 0 });
        ${after}
        ${STEP}
        for (let n = 0; n < 100; n++) step(n);
        ${end}`,
    }).link('@sinonjs/fake-timers');
    expect(await project.run(['program.mjs'], machine.home)).toMatchObject({ code: 0, stderr: '' });
    expect(await outputs()).toEqual(upTo(100));
  });
});
