import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { runProgram, startProgram, stepsOf, upTo } from './program.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from './service-process.ts';

// Real programs, the real service, and something between them that breaks what goes through.

let service: ServiceProcess;
let home: string;
let project: string;
let proxy: FaultProxy;
const removers: (() => void)[] = [];

// The service has a state folder of its own: what a program leaves on disk stays where it is.
beforeAll(async () => {
  await buildOnce();
  const own = makeHome();
  service = await startServiceProcess(own.home);
  removers.push(own.remove);
}, 120_000);
afterAll(async () => {
  await service.stop();
  for (const remove of removers) remove();
});
beforeEach(async () => {
  const own = makeHome();
  [home, project] = [own.home, `local/${basename(own.home)}`];
  removers.push(own.remove);
  proxy = await FaultProxy.start(service.url);
});
afterEach(() => proxy.close());

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    SPOOR_URL: proxy.url,
    SPOOR_API_KEY: service.apiKey,
    SPOOR_PROJECT: project,
    SPOOR_TIMEOUT_MS: '1000',
    ...more,
  };
}

function isOnDisk(): boolean {
  return readdirSync(join(home, 'spool')).length > 0;
}

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';
const FLUSHED = `${HUNDRED} console.log(JSON.stringify(await flush({ timeoutMs: 25_000 })));`;

/** The first requests meet the fault, all others go through. */
function failFirst(count: number, fault: Fault): void {
  proxy.plan = ({ index }) => (index < count ? fault : undefined);
}

const html = { 'content-type': 'text/html' };
const soon = () => new Date(Date.now() + 1500).toUTCString();

describe('all arrives, once, when the service for a while', () => {
  test.each<[string, () => Fault]>([
    ['answers 408', () => ({ kind: 'answer', status: 408 })],
    ['answers 429 and seconds to wait', () => ({ kind: 'answer', status: 429, headers: { 'retry-after': '1' } })],
    ['answers 429 and a date to wait for', () => ({ kind: 'answer', status: 429, headers: { 'retry-after': soon() } })],
    ['answers 500', () => ({ kind: 'answer', status: 500 })],
    ['answers 503', () => ({ kind: 'answer', status: 503 })],
    ['answers 502 with a page', () => ({ kind: 'answer', status: 502, headers: html, body: '<h1>Bad Gateway</h1>' })],
    ['hangs', () => ({ kind: 'hang' })],
    ['is slow', () => ({ kind: 'delay', ms: 300 })],
    ['answers byte by byte', () => ({ kind: 'slowAnswer', pauseMs: 5 })],
    ['breaks the connection in a request', () => ({ kind: 'resetRequest' })],
    ['breaks the connection in its answer', () => ({ kind: 'halfAnswer' })],
    ['takes records and the answer is lost', () => ({ kind: 'lostAnswer' })],
  ])('%s', { timeout: 60_000 }, async (_name, fault) => {
    failFirst(2, fault());
    const program = startProgram(home, FLUSHED, environment());
    expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
    expect(await program.ended).toMatchObject({ code: 0, signal: null });
    expect(await stepsOf(service, project)).toEqual(upTo(100));
    // What fails is sent again as it was, and not in parts as what is refused.
    expect(new Set(proxy.requests.map(({ body }) => body)).size).toBe(1);
  });
});

describe('one bad record among good ones', () => {
  test.each([400, 413, 422])('that is refused with %i costs itself, by name, and nothing else', async (status) => {
    proxy.plan = ({ body }) => (body.includes('poison') ? { kind: 'answer', status } : undefined);
    const source = `
      const spoil = traced(function spoil(text) { return text; }, { op: false });
      spoil('poison');
      ${FLUSHED}
      console.log(JSON.stringify(stats().droppedByReason));`;
    const program = startProgram(home, source, environment());
    const { sent, spooled, dropped } = JSON.parse(await program.line()) as Record<string, number>;
    expect({ sent, spooled, dropped }).toEqual({ sent: 202 - (dropped ?? 0), spooled: 0, dropped });
    // A start is its own record, and what is refused with it is at most its end.
    expect([1, 2]).toContain(dropped);
    expect(JSON.parse(await program.line())).toEqual({ refused: dropped });
    const { code, stderr } = await program.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/refused/);
    expect(await stepsOf(service, project)).toEqual(upTo(100));
  });
});

describe('nothing is dropped, and what is wrong is said once, when', () => {
  test.each<[string, () => NodeJS.ProcessEnv]>([
    ['the key is wrong', () => ({ SPOOR_API_KEY: 'spoor_wrong' })],
    ['the key may not write here', () => answerAll(403)],
    ['the address is not one of a service', () => answerAll(404)],
    ['a proxy answers with a page', () => answerAll(200, html, '<h1>Sign in</h1>')],
    ['the service has moved', () => answerAll(302, { location: 'http://127.0.0.1:9/' })],
    ['the name of the host is unknown', () => ({ SPOOR_URL: 'http://no-such-host.invalid:7717' })],
    ['the service speaks no TLS', () => ({ SPOOR_URL: proxy.url.replace('http:', 'https:') })],
  ])('%s', { timeout: 60_000 }, async (_name, configure) => {
    const wrong = environment(configure());
    const { code, signal, stderr } = await runProgram(
      home,
      `${HUNDRED} await flush(); step(100); await flush();`,
      wrong,
    );
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^spoor: Cannot deliver \P{Cc}+$/u)]);
    expect(isOnDisk()).toBe(true);
    expect(await stepsOf(service, project)).toEqual([]);
  });

  function answerAll(status: number, headers = {}, body = '{"reason":"no\\n\\u001b[2J"}'): NodeJS.ProcessEnv {
    proxy.plan = () => ({ kind: 'answer', status, headers, body });
    return {};
  }
});

test('what was kept for a service is delivered by the next program that knows the right key', async () => {
  await runProgram(home, HUNDRED, environment({ SPOOR_API_KEY: 'spoor_wrong' }));
  expect(isOnDisk()).toBe(true);
  expect(await runProgram(home, 'step(100); await flush();', environment())).toMatchObject({ code: 0, stderr: '' });
  expect(await stepsOf(service, project)).toEqual(upTo(101));
  expect(isOnDisk()).toBe(false);
});
