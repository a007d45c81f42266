import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { RecordingService, respond } from '../delivery/recording-service.ts';
import { runProgram, startProgram } from './program.ts';
import { makeHome } from './service-process.ts';

let home: string;
let removeHome: () => void;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  ({ home, remove: removeHome } = makeHome());
});
afterEach(() => removeHome());

const TEN = 'for (let n = 0; n < 10; n++) step(n);';
const LINE = 'spoor: 20 records were lost: exit 20 (see "spoor doctor")';

function linesAboutLosses(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line.includes('lost:'));
}

describe('a program whose records nobody takes says so in one line', () => {
  beforeEach(() => {
    // In place of the folder, as the administrator may write everywhere.
    writeFileSync(join(home, 'spool'), '');
  });

  test.each([
    ['at its natural end', TEN, 0],
    ['at process.exit', `${TEN} process.exit(3);`, 3],
    ['at an uncaught error', `${TEN} throw new Error('boom');`, 1],
    ['after shutdown', `${TEN} await shutdown();`, 0],
    ['after shutdown and process.exit', `${TEN} await shutdown(); process.exit(0);`, 0],
    ['at an exit that a library announces by itself before', `${TEN} process.emit('exit'); process.exit(0);`, 0],
  ])('%s', async (_when, source, code) => {
    const ended = await runProgram(home, source);
    expect(ended.code).toBe(code);
    expect(linesAboutLosses(ended.stderr)).toEqual([LINE]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('at %s', async (signal) => {
    const program = startProgram(home, `${TEN} setInterval(() => {}, 1000); console.log('ready');`);
    await program.line();
    program.child.kill(signal);
    const ended = await program.ended;
    expect(ended.signal).toBe(signal);
    expect(linesAboutLosses(ended.stderr)).toEqual([LINE]);
  });

  test('to its own handler, where it has one', async () => {
    const source = `init({ onError: ({ kind, count }) => console.log(kind, count) }); ${TEN}`;
    const program = startProgram(home, source);
    expect([await program.line(), await program.line()]).toEqual(['spool-unwritable 0', 'lost-at-exit 20']);
    expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
  });
});

test('a program that lost nothing says nothing', async () => {
  expect(await runProgram(home, `${TEN} process.exit(0);`)).toEqual({ code: 0, signal: null, stderr: '' });
});

test('what a service refused is told with its reason, and again as the sum at the end', async () => {
  const service = await RecordingService.start();
  onTestFinished(() => service.stop());
  service.answer = (_request, response) => respond(response, 400, { reason: 'bad', error_code: 'invalid_request' });
  const { stderr } = await runProgram(home, `${TEN} await flush();`, { SPOOR_URL: service.url, SPOOR_API_KEY: 'k' });
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^spoor: The service refused a record of call "[^"]+": 400, bad$/),
    'spoor: 20 records were lost: refused 20 (see "spoor doctor")',
  ]);
});
