import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { MAX_RUNNING_MS, shownStatusesOf, shownStatusOf } from '../../src/cli/shown-status.ts';
import { treesOf } from '../../src/cli/trace-tree.ts';
import type { Call } from '../../src/protocol/call.ts';
import { callOf } from './call-of.ts';

const STARTED_AT = '2026-01-01T00:00:00Z';
const SOON = Date.parse(STARTED_AT) + 1000;
const GONE = spawnSync(process.execPath, ['--version']).pid;

const here = (pid: unknown) => ({ svc: { host: hostname(), pid } });
const open = (fields: Partial<Call> = {}) =>
  callOf({ started_at: STARTED_AT, ended_at: null, summary: { svc: { status: 'running' } }, ...fields });

function statuses(calls: readonly Call[], now = SOON): Record<string, string> {
  const statusOf = shownStatusesOf(treesOf(calls), now);
  return Object.fromEntries(calls.map((call) => [call.id, statusOf(call)]));
}

test('a call runs as long as its process does', () => {
  expect(shownStatusOf(open({ attributes: here(process.pid) }), SOON)).toBe('running');
  expect(shownStatusOf(open({ attributes: here(GONE) }), SOON)).toBe('never_ended');
});

test.each([
  ['of another machine', { svc: { host: 'elsewhere', pid: GONE } }],
  ['without a number', { svc: { host: hostname() } }],
  ['whose number is none', here('1')],
  ['whose number is a group', here(-1)],
  ['whose number is not whole', here(1.5)],
  ['that is not told', {}],
  ['told in another shape', { svc: 'me' }],
])('nothing is known of a process %s', (_name, attributes) => {
  expect(shownStatusOf(open({ attributes }), SOON)).toBe('running');
});

test('a call gets no end any more a day after its start, wherever its process runs', () => {
  for (const attributes of [{}, here(process.pid)]) {
    const at = Date.parse(STARTED_AT) + MAX_RUNNING_MS;
    expect(shownStatusOf(open({ attributes }), at)).toBe('running');
    expect(shownStatusOf(open({ attributes }), at + 1)).toBe('never_ended');
  }
});

test.each(['success', 'error', 'descendant_error'])('a call that is over stays a %s', (status) => {
  const call = callOf({ attributes: here(GONE), summary: { svc: { status } } });
  expect(shownStatusOf(call, SOON + 2 * MAX_RUNNING_MS)).toBe(status);
});

test('what is below a call belongs to its process', () => {
  const calls = [open({ id: 'a', attributes: here(GONE) }), open({ id: 'b', parent_id: 'a' })];
  expect(statuses([...calls, open({ id: 'c', parent_id: 'b' }), callOf({ id: 'd', parent_id: 'a' })])).toEqual({
    a: 'never_ended',
    b: 'never_ended',
    c: 'never_ended',
    d: 'success',
  });
});

test('a call below one of another process belongs to its own', () => {
  const calls = [
    open({ id: 'gone', attributes: here(GONE) }),
    open({ id: 'living', parent_id: 'gone', attributes: here(process.pid) }),
    open({ id: 'below', parent_id: 'living' }),
    open({ id: 'far', parent_id: 'gone', attributes: { svc: { host: 'elsewhere', pid: GONE } } }),
  ];
  expect(statuses(calls)).toEqual({ gone: 'never_ended', living: 'running', below: 'running', far: 'running' });
});

test('of a call whose root is not there the time alone tells', () => {
  const calls = [open({ parent_id: 'nowhere' })];
  expect(statuses(calls)).toEqual({ c1: 'running' });
  expect(statuses(calls, SOON + MAX_RUNNING_MS)).toEqual({ c1: 'never_ended' });
});

test('a trace deeper than the call stack is looked through', () => {
  const chain = Array.from({ length: 50_000 }, (_, index) =>
    index === 0 ? open({ id: '0', attributes: here(GONE) }) : open({ id: `${index}`, parent_id: `${index - 1}` }),
  );
  expect(statuses(chain)['49999']).toBe('never_ended');
});
