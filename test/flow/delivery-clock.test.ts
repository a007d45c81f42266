import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/protocol/call.ts';
import { expectNextDelivers, PATIENT, useFaultyWay } from './faulty-way.ts';
import { readerOf, startProgram, upTo } from './program.ts';

// A program whose wall clock is not that of everybody else, or jumps. What it is made of is replaced before Spoor is loaded.

const way = useFaultyWay();

const DAY_MS = 86_400_000;
const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';

/** The source of a module that lets the wall clock of the program be moved. */
const MOVABLE = `data:text/javascript,${encodeURIComponent(`
  const { now } = Date;
  let movedMs = Number(process.env.CLOCK_MS ?? 0);
  // The clock itself, as it is before the program: what replaces it later is not seen.
  Date.now = () => now() + movedMs;
  globalThis.moveClock = (ms) => { movedMs = ms; };
`)}`;

function start(source: string, env: NodeJS.ProcessEnv = {}) {
  return startProgram(way.home, source, way.environment(env), { flags: ['--import', MOVABLE] });
}

async function calls(): Promise<Call[]> {
  const all: Call[] = [];
  const sortBy = [
    { field: 'started_at', direction: 'asc' },
    { field: 'id', direction: 'asc' },
  ] as const;
  for await (const call of readerOf(way.service, way.project).calls.query({ sort_by: [...sortBy] })) all.push(call);
  return all;
}

const isFlushed = 'console.log(JSON.stringify(await flush()));';

test.each([
  ['a day late', -DAY_MS],
  ['a day early', DAY_MS],
])('calls of a program whose clock is %s arrive, in the order they were made', async (_name, offset) => {
  const program = start(`${HUNDRED}${isFlushed}`, { CLOCK_MS: String(offset) });
  expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
  expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  const all = await calls();
  expect(all.map(({ output }) => output)).toEqual(upTo(100));
  const ago = Date.now() - Date.parse(all[0]?.started_at ?? '');
  expect(Math.abs(ago + offset)).toBeLessThan(60_000);
});

test('a clock that goes back in the middle makes no call end before its start, and ids stay in order', async () => {
  const source = `
    const outer = traced(async function outer() {
      step(0);
      moveClock(${-DAY_MS});
      // The wall clock is looked at once per second.
      while (performance.now() < began + 1100) await new Promise((resolve) => setTimeout(resolve, 50));
      step(1);
    }, { op: false });
    const began = performance.now();
    await outer();
    step(2);
    ${isFlushed}`;
  const program = start(source);
  expect(JSON.parse(await program.line())).toEqual({ sent: 8, spooled: 0, dropped: 0 });
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  const all = await calls();
  expect(all).toHaveLength(4);
  for (const { started_at, ended_at } of all)
    expect(Date.parse(ended_at ?? '')).toBeGreaterThanOrEqual(Date.parse(started_at));
  // The later ones say what the clock says, a day before.
  expect(all.map(({ op_name, output }) => (op_name === 'step' ? output : op_name))).toEqual([1, 2, 'outer', 0]);
  const inOrderOfIds = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(inOrderOfIds.map(({ op_name, output }) => (op_name === 'step' ? output : op_name))).toEqual([
    'outer',
    0,
    1,
    2,
  ]);
});

describe('a service that says when to ask again, of a program whose clock', () => {
  test.each([
    ['is a day late', -DAY_MS],
    ['is a day early', DAY_MS],
  ])('%s, is asked again then', async (_name, offset) => {
    way.proxy.plan = ({ index }) => {
      // As every server does, it says what time it is; whole seconds, rounded up.
      const at = new Date(Date.now() + 1999).toUTCString();
      return index < 1 ? { kind: 'answer', status: 503, headers: { 'retry-after': at } } : undefined;
    };
    const program = start(`${HUNDRED}${isFlushed}`, { CLOCK_MS: String(offset) });
    expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    const [first = 0, second = 0] = way.proxy.requests.map(({ at }) => at);
    // The date of the answer has whole seconds, too.
    expect(second - first).toBeGreaterThanOrEqual(990);
  });
});

describe('what is on disk when the clock goes back a day', () => {
  const spooling = `
    ${HUNDRED}
    await flush();
    moveClock(${-DAY_MS});
    for (let n = 100; n < 200; n++) step(n);`;

  test('is delivered by the program itself', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const program = start(`${spooling}
      console.log(JSON.stringify(await flush()));
      process.stdin.once('data', async () => { ${isFlushed} process.stdin.unref(); });`);
    expect(JSON.parse(await program.line())).toEqual({ sent: 0, spooled: 400, dropped: 0 });
    way.proxy.plan = () => undefined;
    program.child.stdin?.write('go\n');
    expect(JSON.parse(await program.line())).toEqual({ sent: 400, spooled: 0, dropped: 0 });
    expect(await program.ended).toMatchObject({ code: 0 });
    expect(await way.steps()).toEqual(upTo(200));
    expect(way.segments()).toEqual([]);
  });

  test('is delivered by the next program', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    expect(await start(`${spooling} process.exit(0);`).ended).toMatchObject({ code: 0 });
    way.proxy.plan = () => undefined;
    const clock = { ...PATIENT, CLOCK_MS: String(-2 * DAY_MS) };
    await expectNextDelivers(way, upTo(201), { start: (source) => start(source, clock) });
  });

  test('goes oldest first when there is no room', async () => {
    way.proxy.plan = () => ({ kind: 'answer', status: 401 });
    const source = `
      for (let n = 0; n < 2000; n++) {
        if (n === 1000) moveClock(${-DAY_MS});
        step(n);
        if (n % 100 === 99) await flush();
      }
      process.on('exit', () => console.log(stats().dropped));`;
    const program = start(source, { SPOOR_SPOOL_BYTES: '300000' });
    const dropped = Number(await program.line());
    expect(await program.ended).toMatchObject({ code: 0 });
    way.proxy.plan = () => undefined;
    expect(await way.drain()).toMatchObject({ code: 0 });
    const kept = await way.steps();
    expect(kept.length).toBeGreaterThan(100);
    expect(kept).toEqual(upTo(2000).slice(-kept.length));
    expect(dropped).toBe(2 * (2000 - kept.length));
  });
});
