import { describe, expect, test } from 'vitest';
import type { Fault } from './fault-proxy.ts';
import { expectNextDelivers, useFaultyWay } from './faulty-way.ts';
import { runProgram, startProgram, upTo } from './program.ts';

// Real programs, the real service, and something between them that breaks what goes through.

const way = useFaultyWay();

const HUNDRED = 'for (let n = 0; n < 100; n++) step(n);';
const FLUSHED = `${HUNDRED} console.log(JSON.stringify(await flush({ timeoutMs: 25_000 })));`;

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
    way.failFirst(2, fault());
    const program = startProgram(way.home, FLUSHED, way.environment());
    expect(JSON.parse(await program.line())).toEqual({ sent: 200, spooled: 0, dropped: 0 });
    expect(await program.ended).toMatchObject({ code: 0, signal: null });
    expect(await way.steps()).toEqual(upTo(100));
    // What fails is sent again as it was, and not in parts as what is refused.
    expect(new Set(way.proxy.requests.map(({ body }) => body)).size).toBe(1);
  });
});

describe('one bad record among good ones', () => {
  test.each([400, 413, 422])('that is refused with %i costs itself, by name, and nothing else', async (status) => {
    const refusal = '{"reason":"a fault","error_code":"invalid_request"}';
    way.proxy.plan = ({ body }) => (body.includes('poison') ? { kind: 'answer', status, body: refusal } : undefined);
    const source = `
      const spoil = traced(function spoil(text) { return text; }, { op: false });
      spoil('poison');
      ${FLUSHED}
      console.log(JSON.stringify(stats().droppedByReason));`;
    const program = startProgram(way.home, source, way.environment());
    const { sent, spooled, dropped } = JSON.parse(await program.line()) as Record<string, number>;
    expect({ sent, spooled, dropped }).toEqual({ sent: 202 - (dropped ?? 0), spooled: 0, dropped });
    // A start is its own record, and what is refused with it is at most its end.
    expect([1, 2]).toContain(dropped);
    expect(JSON.parse(await program.line())).toEqual({ refused: dropped });
    const { code, stderr } = await program.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/refused/);
    expect(await way.steps()).toEqual(upTo(100));
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
    ['the service speaks no TLS', () => ({ SPOOR_URL: way.proxy.url.replace('http:', 'https:') })],
  ])('%s', { timeout: 60_000 }, async (_name, configure) => {
    const wrong = way.environment(configure());
    const { code, signal, stderr } = await runProgram(
      way.home,
      `${HUNDRED} await flush(); step(100); await flush();`,
      wrong,
    );
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^spoor: Cannot deliver \P{Cc}+$/u)]);
    expect(way.segments()).not.toEqual([]);
    expect(await way.steps()).toEqual([]);
  });

  function answerAll(status: number, headers = {}, body = '{"reason":"no\\n\\u001b[2J"}'): NodeJS.ProcessEnv {
    way.proxy.plan = () => ({ kind: 'answer', status, headers, body });
    return {};
  }
});

test('what was kept for a service is delivered by the next program that knows the right key', async () => {
  await runProgram(way.home, HUNDRED, way.environment({ SPOOR_API_KEY: 'spoor_wrong' }));
  expect(way.segments()).not.toEqual([]);
  expect(await expectNextDelivers(way, upTo(101))).toMatchObject({ stderr: '' });
});
