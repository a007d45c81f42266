import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { problemOf } from './check-answer.ts';
import { closeConnections, type FuzzAnswer } from './client.ts';
import type { FuzzRequest } from './request.ts';
import { MOST_OF_A_ROUND, problemOfRound, roundOf } from './round.ts';
import { runFuzz, Tally } from './run-fuzz.ts';
import { MARKER, openWorld, type World } from './world.ts';

/** `npm run fuzz` draws others, for as long as one likes. */
const SEED = 1;
const RUNS = 600;
/** A hang is seen; how fast the machine is does not matter here. */
const PATIENCE_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => closeConnections());

test(
  'requests that are wrong in every way are refused in one shape, at once, and reach nobody else',
  { timeout: 120_000 },
  async () => {
    const tally = new Tally();
    const before = await world.usage();
    await runFuzz(world, { seed: SEED, runs: RUNS, patienceMs: PATIENCE_MS, tally });
    expect(problemOfRound(roundOf(before, await world.usage(), tally.requests))).toBeUndefined();
    // The checks themselves see the time of this service: no answer comes, and takes no CPU, within nothing.
    const impatient = { seed: SEED, runs: 20, patienceMs: 1e-3, tally: new Tally() };
    await expect(runFuzz(world, impatient)).rejects.toThrow(/an answer took \d+ ms of CPU|no answer, alone, within/);
    expect(await world.close()).toBe(0);
    expect(world.errors()).toBe('');
    // Requests of which none is taken would prove little.
    expect(Object.keys(SERVED).filter((name) => !tally.answered.has(name))).toEqual([]);
    expect(tally.validAnswered / tally.valid).toBeGreaterThan(0.5);
  },
);

const REQUEST: FuzzRequest = {
  endpoint: 'callRead',
  method: 'POST',
  path: '/call/read',
  headers: {},
  body: Buffer.from('{}'),
  isValid: true,
};
const STREAM: FuzzRequest = { ...REQUEST, endpoint: 'threadsStreamQuery', path: '/threads/stream_query' };
const JSON_TYPE = { 'content-type': 'application/json', 'svc-request-id': 'r' };
const LINES_TYPE = { ...JSON_TYPE, 'content-type': 'application/jsonl' };
const ERROR = { reason: 'Cannot do it', error_code: 'invalid_json', request_id: 'r' };
const THREAD = {
  thread_id: 't',
  turn_count: 1,
  start_time: '2026-01-01T00:00:00Z',
  last_updated: '2026-01-01T00:00:00Z',
  first_turn_id: 'c',
  last_turn_id: 'c',
  p50_turn_duration_ms: 1,
  p99_turn_duration_ms: null,
};

function answerOf(status: number, body: unknown, more: Partial<FuzzAnswer> = {}): FuzzAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: JSON_TYPE, body: Buffer.from(text), isComplete: true, milliseconds: 1, ...more };
}

const line = (record: object) => `${JSON.stringify(record)}\n`;

test.each<readonly [name: string, request: FuzzRequest, answer: FuzzAnswer]>([
  ['an error of the shape', REQUEST, answerOf(400, ERROR)],
  ['a record of the schema', REQUEST, answerOf(200, { call: null })],
  ['an empty stream', STREAM, answerOf(200, '', { headers: LINES_TYPE })],
  ['lines of the schema', STREAM, answerOf(200, line(THREAD) + line(THREAD), { headers: LINES_TYPE })],
])('%s is right', (_name, request, answer) => {
  expect(problemOf(request, answer)).toBeUndefined();
});

test.each<readonly [name: string, request: FuzzRequest, answer: FuzzAnswer, problem: RegExp]>([
  ['a status of 500', REQUEST, answerOf(500, { ...ERROR, error_code: 'internal_error' }), /status 500/],
  ['a status of 503', { ...REQUEST, isRaw: true }, answerOf(503, ''), /status 503/],
  ['data of others', REQUEST, answerOf(200, { call: { inputs: MARKER } }), /may not read/],
  ['data of others in base64', REQUEST, answerOf(200, `{"content":"${btoa(MARKER)}"}`), /may not read/],
  ['an answer that broke off', REQUEST, answerOf(200, { call: null }, { isComplete: false }), /broke off/],
  ['an error in HTML', REQUEST, answerOf(400, '<html>'), /no JSON/],
  ['an unknown code', REQUEST, answerOf(400, { ...ERROR, error_code: 'oops' }), /status of its code/],
  ['a code of another status', REQUEST, answerOf(404, ERROR), /status of its code/],
  ['an error without a reason', REQUEST, answerOf(400, { ...ERROR, reason: '' }), /no reason/],
  ['another request id', REQUEST, answerOf(400, { ...ERROR, request_id: 'x' }), /another request id/],
  ['no detail', REQUEST, answerOf(422, { ...ERROR, error_code: 'validation_error' }), /no detail/],
  ['no Allow', REQUEST, answerOf(405, { ...ERROR, error_code: 'method_not_allowed' }), /no Allow/],
  ['no WWW-Authenticate', REQUEST, answerOf(401, { ...ERROR, error_code: 'unauthenticated' }), /no WWW-Authenticate/],
  ['a body for HEAD', { ...REQUEST, method: 'HEAD' }, answerOf(200, 'x'), /HEAD has a body/],
  ['no JSON', REQUEST, answerOf(200, '{"call":'), /no JSON/],
  ['a record of another schema', REQUEST, answerOf(200, { call: {} }), /breaks its schema/],
  ['a last line without end', STREAM, answerOf(200, JSON.stringify(THREAD), { headers: LINES_TYPE }), /no end/],
  ['an empty line', STREAM, answerOf(200, `${line(THREAD)}\n`, { headers: LINES_TYPE }), /no record/],
  ['a line of another schema', STREAM, answerOf(200, line({}), { headers: LINES_TYPE }), /breaks its schema/],
  [
    'an error as a last line',
    STREAM,
    answerOf(200, line({ _svc_error: {} }), { headers: LINES_TYPE }),
    /ended in an error/,
  ],
])('%s is seen', (_name, request, answer, problem) => {
  expect(problemOf(request, answer)).toMatch(problem);
});

test('what a round took of the machine is seen', () => {
  const { memoryMiB, cpuMsPerRequest } = MOST_OF_A_ROUND;
  const right = { requests: 10, memoryMiB, cpuMs: 10 * cpuMsPerRequest };
  expect(problemOfRound(right)).toBeUndefined();
  expect(problemOfRound({ ...right, memoryMiB: memoryMiB + 1 })).toMatch(/MiB of memory/);
  expect(problemOfRound({ ...right, cpuMs: right.cpuMs + 1 })).toMatch(/ms of CPU/);
  const usage = { bytes: 2 ** 20, cpuMs: 5 };
  expect(roundOf(usage, { bytes: 3 * 2 ** 20, cpuMs: 12 }, 4)).toEqual({ requests: 4, memoryMiB: 3, cpuMs: 7 });
});
