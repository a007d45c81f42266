import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { RecordingService, respond } from '../delivery/recording-service.ts';
import { runProgram, startProgram, stepsOf, upTo } from './program.ts';
import { makeHome, startServiceProcess } from './service-process.ts';

let home: string;
let removeHome: () => void;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  ({ home, remove: removeHome } = makeHome());
});
afterEach(() => removeHome());

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';

function segments(): string[] {
  try {
    return readdirSync(join(home, 'spool'));
  } catch {
    return [];
  }
}

test('without a service a program says nothing into a pipe, ends at once, and its calls are there later', async () => {
  expect(await runProgram(home, HUNDRED)).toEqual({ code: 0, signal: null, stderr: '' });
  expect(await runProgram(home, 'for (let n = 100; n < 200; n++) step(n);')).toMatchObject({ code: 0 });
  const service = await startServiceProcess(home);
  await vi.waitFor(async () => expect(await stepsOf(service)).toEqual(upTo(200)), { timeout: 20_000 });
  await vi.waitFor(() => expect(segments()).toEqual([]), { timeout: 20_000 });
  await service.stop();
});

test('a running program delivers once the service is started', async () => {
  const source = `
    ${HUNDRED}
    console.log(JSON.stringify(await flush()));
    process.stdin.once('data', async () => {
      console.log(JSON.stringify(await flush()));
      process.stdin.unref();
    });`;
  const program = startProgram(home, source);
  expect(JSON.parse(await program.line())).toEqual({ sent: 0, spooled: 200, dropped: 0 });
  const service = await startServiceProcess(home);
  program.child.stdin?.write('go\n');
  expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
  expect(await program.ended).toMatchObject({ code: 0 });
  expect(await stepsOf(service)).toEqual(upTo(100));
  await service.stop();
});

test('a running program delivers by itself once the service is started, without another call', async () => {
  const program = startProgram(home, `${HUNDRED} console.log('ready'); setInterval(() => {}, 1000);`);
  await program.line();
  await vi.waitFor(() => expect(segments()).toHaveLength(1), { timeout: 20_000 });
  const service = await startServiceProcess(home);
  await vi.waitFor(async () => expect(await stepsOf(service)).toEqual(upTo(100)), { timeout: 20_000 });
  program.child.kill('SIGKILL');
  await program.ended;
  await service.stop();
});

test('a service that goes away and comes back loses nothing', async () => {
  const first = await startServiceProcess(home);
  const source = `
    let n = 0;
    const timer = setInterval(() => { for (let i = 0; i < 10; i++) step(n++); }, 5);
    process.stdin.on('data', async (data) => {
      if (String(data).includes('stop')) clearInterval(timer), process.stdin.unref();
      console.log(JSON.stringify({ ...(await flush()), n }));
    });`;
  const program = startProgram(home, source);
  program.child.stdin?.write('state\n');
  expect(JSON.parse(await program.line())).toMatchObject({ spooled: 0, dropped: 0 });
  await first.stop();
  program.child.stdin?.write('state\n');
  expect((JSON.parse(await program.line()) as { spooled: number }).spooled).toBeGreaterThan(0);
  const second = await startServiceProcess(home);
  program.child.stdin?.write('stop\n');
  const { sent, spooled, dropped, n } = JSON.parse(await program.line()) as Record<string, number>;
  expect({ sent, spooled, dropped }).toEqual({ sent: 2 * (n ?? 0), spooled: 0, dropped: 0 });
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(await stepsOf(second)).toEqual(upTo(n ?? 0));
  await second.stop();
});

test('kill -9 of a program that waits on disk loses nothing that was there', async () => {
  const program = startProgram(home, `${HUNDRED} await flush(); console.log('ready'); setInterval(() => {}, 1000);`);
  await program.line();
  program.child.kill('SIGKILL');
  await program.ended;
  const service = await startServiceProcess(home);
  await vi.waitFor(async () => expect(await stepsOf(service)).toEqual(upTo(100)), { timeout: 20_000 });
  await service.stop();
});

test('two programs at once keep their calls apart and lose none', async () => {
  const other = makeHome();
  const [first, second] = await Promise.all([
    runProgram(home, HUNDRED),
    startProgram(other.home, 'for (let n = 100; n < 200; n++) step(n);', { SPOOR_HOME: home }).ended,
  ]);
  expect([first.code, second.code]).toEqual([0, 0]);
  const service = await startServiceProcess(home);
  await vi.waitFor(async () => expect(await stepsOf(service)).toEqual(upTo(200)), { timeout: 20_000 });
  await service.stop();
  other.remove();
});

test('what a program left for a configured service, the next program with that service delivers', async () => {
  const remote = await RecordingService.start();
  const env = { SPOOR_URL: remote.url, SPOOR_API_KEY: 'secret-key-1' };
  await remote.stop();
  expect(await runProgram(home, `${HUNDRED} process.exit(0);`, env)).toMatchObject({ code: 0 });
  expect(segments()).toHaveLength(1);
  expect(readFileSync(join(home, 'spool', segments()[0] ?? ''), 'utf8')).not.toContain('secret-key-1');
  await remote.listen();
  expect(await runProgram(home, 'step(100);', env)).toMatchObject({ code: 0, stderr: '' });
  await vi.waitFor(() => expect(new Set(remote.items).size).toBe(202), { timeout: 20_000 });
  expect(segments()).toEqual([]);
  await remote.stop();
});

describe('a configured service', () => {
  let remote: RecordingService;
  let env: NodeJS.ProcessEnv;
  beforeEach(async () => {
    remote = await RecordingService.start();
    env = { SPOOR_URL: remote.url, SPOOR_API_KEY: 'k' };
  });
  afterEach(() => remote.stop());

  test('that answers 503 for a while gets all', async () => {
    let failures = 3;
    remote.answer = (_request, response) => failures-- > 0 && respond(response, 503, { reason: 'later' });
    const program = startProgram(home, `${HUNDRED} console.log(JSON.stringify(await flush()));`, env);
    expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
    expect(await program.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(new Set(remote.items).size).toBe(200);
  });

  test('that refuses the key is named in one line, and the calls are kept', async () => {
    remote.answer = (_request, response) =>
      respond(response, 401, { reason: 'unknown key', error_code: 'unauthenticated' });
    const { code, stderr } = await runProgram(home, `${HUNDRED} await flush(); step(100); await flush();`, env);
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(`Cannot deliver to "${remote.url}": 401, unknown key. Check SPOOR_API_KEY`);
    expect(segments()).not.toEqual([]);
  });

  test('that never answers does not hold the program, and the calls are kept', async () => {
    remote.answer = () => true;
    expect(await runProgram(home, HUNDRED, env)).toEqual({ code: 0, signal: null, stderr: '' });
    expect(segments()).toHaveLength(1);
    const lines = readFileSync(join(home, 'spool', segments()[0] ?? ''), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(201);
  });

  test('that never answers is waited for by nothing that keeps a program alive', async () => {
    remote.answer = () => remote.accepted.length > 0;
    const source = `
      step(0);
      await flush();
      step(1);
      process.stdin.once('data', () => {
        console.log(JSON.stringify(process.getActiveResourcesInfo()));
        process.exit(0);
      });`;
    const program = startProgram(home, source, env);
    await vi.waitFor(() => expect(remote.requests).toHaveLength(2), { timeout: 20_000 });
    program.child.stdin?.write('go');
    expect(await program.line()).not.toMatch(/TCP|Timeout/);
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  test('that does not exist does not hold the program, and the calls are kept', async () => {
    await remote.stop();
    expect(await runProgram(home, HUNDRED, env)).toMatchObject({ code: 0, signal: null });
    expect(segments().length).toBeGreaterThan(0);
    await remote.listen();
  });
});

test('a state folder that cannot be written costs the calls but not the program', async () => {
  const locked = join(home, 'locked');
  mkdirSync(locked);
  // The administrator may write everywhere; a file in place of the folder stops everybody.
  writeFileSync(join(locked, 'spool'), '');
  chmodSync(locked, 0o500);
  const { code, stderr } = await runProgram(home, HUNDRED, { SPOOR_HOME: locked });
  chmodSync(locked, 0o700);
  expect(code).toBe(0);
  expect(stderr).toContain('Cannot keep records on disk');
});

test('SPOOR_DISABLED switches recording off', async () => {
  const program = startProgram(home, `console.log(step(5)); console.log(JSON.stringify(await flush()));`, {
    SPOOR_DISABLED: '1',
  });
  expect(await program.line()).toBe('5');
  expect(JSON.parse(await program.line())).toEqual({ sent: 0, spooled: 0, dropped: 0 });
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  expect(segments()).toEqual([]);
});

test('a variable that makes no sense is one line, and the program runs', async () => {
  const program = startProgram(home, 'console.log(step(5));', { SPOOR_URL: 'nonsense' });
  expect(await program.line()).toBe('5');
  const { code, stderr } = await program.ended;
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'spoor: Cannot use SPOOR_URL "nonsense": expected an http or https address; the default is used\n',
  });
});

test('a second signal ends a program whose service is silent, and loses nothing', async () => {
  const silent = await RecordingService.start();
  silent.answer = () => true;
  const source = `
    ${HUNDRED}
    setInterval(() => {}, 1000);
    process.once('newListener', (name) => name === 'SIGINT' && console.log('waits'));
    process.kill(process.pid, 'SIGINT');`;
  const program = startProgram(home, source, { SPOOR_URL: silent.url, SPOOR_API_KEY: 'key' });
  expect(await program.line()).toBe('waits');
  program.child.kill('SIGINT');
  expect(await program.ended).toMatchObject({ code: null, signal: 'SIGINT' });
  expect(recordsOnDisk()).toBe(200);
  await silent.stop();
});

test('a program that ends before it has given up a service says why its records are on disk', async () => {
  const remote = await RecordingService.start();
  await remote.stop();
  const env = { SPOOR_URL: remote.url, SPOOR_API_KEY: 'key' };
  const { code, stderr } = await runProgram(
    home,
    `${HUNDRED} setInterval(() => stats().lastError && process.exit(0), 5);`,
    env,
  );
  expect(code).toBe(0);
  expect(stderr).toMatch(/^spoor: Cannot deliver to "[^"]+": .*ECONNREFUSED.*\. Records are kept on disk[^\n]*\n$/);
  expect(recordsOnDisk()).toBe(200);
});

/** Records of calls in the only segment, without its header and objects. */
function recordsOnDisk(): number {
  const [file = ''] = segments();
  const text = readFileSync(join(home, 'spool', file), 'utf8');
  return text.split('\n').filter((line) => line.startsWith('{"mode":')).length;
}
