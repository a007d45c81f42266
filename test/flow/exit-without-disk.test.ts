import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFaultyWay } from './faulty-way.ts';
import { runProgram, upTo } from './program.ts';

// What cannot be written to disk is lost unless it is sent while the process ends.

const way = useFaultyWay();

/** A file in place of the state folder. */
function withoutDisk(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const file = join(way.home, 'file');
  writeFileSync(file, 'no folder');
  return way.environment({ SPOOR_HOME: file, ...more });
}

const FIVE_HUNDRED = 'for (let n = 1; n <= 500; n++) step(n);';

test('a service that was never asked is asked', async () => {
  const ended = await runProgram(way.home, `step(0); ${FIVE_HUNDRED} process.exit(3);`, withoutDisk());
  expect(ended).toMatchObject({ code: 3, signal: null });
  expect(await way.steps()).toEqual(upTo(501));
});

test('calls go before what else would use up the time: versions of ops, objects, files and tables', async () => {
  const source = `
    step(0);
    await flush();
    const store = traced(function store(bytes) { return bytes.length; });
    for (let n = 0; n < 50; n++) {
      store(Buffer.alloc(5000, String(n)));
      spoor.publish({ n }, 'settings');
    }
    new spoor.Dataset({ name: 'rows', rows: [{ a: 1 }] }).publish();
    ${FIVE_HUNDRED}
    process.exit(3);`;
  way.proxy.plan = () => ({ kind: 'delay', ms: 300 });
  const ended = await runProgram(way.home, source, withoutDisk({ SPOOR_TIMEOUT_MS: '60000' }));
  expect(ended).toMatchObject({ code: 3, signal: null });
  expect(ended.stderr).toMatch(/were lost/);
  expect(await way.steps()).toEqual(upTo(501));
});

test('a service that has failed is asked once more', async () => {
  way.failFirst(1, { kind: 'answer', status: 503, headers: { 'retry-after': '20' } });
  const source = `step(0); ${FIVE_HUNDRED} setInterval(() => stats().lastError && process.exit(3), 5);`;
  expect(await runProgram(way.home, source, withoutDisk())).toMatchObject({ code: 3 });
  expect(await way.steps()).toEqual(upTo(501));
});

test('what a service does not take either is counted and said', async () => {
  way.proxy.plan = () => ({ kind: 'answer', status: 503 });
  const { code, stderr } = await runProgram(way.home, `step(0); ${FIVE_HUNDRED} process.exit(3);`, withoutDisk());
  expect(code).toBe(3);
  expect(stderr).toMatch(/1,?002 records were lost: exit 1,?002/);
});
