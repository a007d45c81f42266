import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkLastProblems, recentProblems } from '../../../src/cli/checks/last-problems.ts';
import { formatTime } from '../../../src/cli/output/numbers.ts';
import { type KeptProblem, keepProblem } from '../../../src/spool/problem-file.ts';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const MINUTE_MS = 60_000;
const URL_ONE = 'http://127.0.0.1:7717';

function ago(minutes: number, fields: Partial<KeptProblem> = {}): KeptProblem {
  const at = new Date(NOW - minutes * MINUTE_MS).toISOString();
  return { at, kind: 'unreachable', message: 'No', count: 0, project: 'acme/x', url: URL_ONE, pid: 7, ...fields };
}

function check(problems: readonly KeptProblem[], present: Partial<Parameters<typeof checkLastProblems>[1]> = {}) {
  return checkLastProblems(problems, { now: NOW, answering: undefined, canKeep: false, ...present });
}

test('only the last 24 hours count, newest first', () => {
  const home = mkdtempSync(join(tmpdir(), 'last-problems-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const minutes of [24 * 60 + 1, 24 * 60, 24 * 60 - 1, 5, -5]) keepProblem(home, ago(minutes));
  expect(recentProblems(home, NOW)).toEqual([ago(-5), ago(5), ago(24 * 60 - 1)]);
  expect(check([])).toEqual([{ level: 'ok', about: 'last problems', message: 'none in the last 24 hours' }]);
});

test('a kind is one line: how often, how many records, when last, which projects, and the newest message', () => {
  const projects = ['acme/x', 'acme/y', 'acme/z', 'acme/u', 'acme/v'];
  const problems = projects.map((project, index) => ago(5 + index, { project, count: 1000, message: `No ${index}` }));
  const time = formatTime((NOW - 5 * MINUTE_MS) * 1000);
  expect(check(problems)).toEqual([
    {
      level: 'warning',
      about: 'last problems',
      message: `unreachable, told 5 times, 5,000 records, last 5 m 00 s ago (${time}) in acme/x, acme/y, acme/z, 2 more: No 0`,
      advice: 'Start that service, or correct SPOOR_URL; until then records wait on disk',
    },
  ]);
});

test('a kind that several libraries have is a line for each of them', () => {
  const kind = 'capture-changed';
  const problems = ['openai', 'ai', 'openai'].map((subject, index) => ago(index + 1, { kind, subject }));
  expect(check(problems).map(({ message }) => /^[^(]*/.exec(message)?.[0])).toEqual([
    'capture-changed of openai, told 2 times, last 1 m 00 s ago ',
    'capture-changed of ai, told once, last 2 m 00 s ago ',
  ]);
});

test('one that happened once, a moment ahead of our clock, is told so', () => {
  const [finding] = check([ago(-5, { count: 1 })]);
  expect(finding?.message).toContain('unreachable, told once, 1 record, last 0.0 ms ago');
});

test('a long or dangerous message is cut and cleaned', () => {
  const [finding] = check([ago(1, { message: `\u001b]0;title\u0007a\nb${'x'.repeat(1000)}` })]);
  expect(finding?.message).toMatch(/: a bx+…$/);
  expect(finding?.message.length).toBeLessThan(420);
});

test('further kinds are named only', () => {
  const problems = Array.from({ length: 8 }, (_, index) => ago(index + 1, { kind: `kind-${index}` }));
  const findings = check(problems);
  expect(findings).toHaveLength(7);
  expect(findings[0]).not.toHaveProperty('advice');
  expect(findings[6]?.message).toBe('and kind-6, kind-7: see --json');
});

const answering = { url: URL_ONE, isKeyAccepted: true };
const other = 'http://other';

test.each([
  ['unreachable', { answering }, URL_ONE, 'the service answers now'],
  ['unreachable', { answering: { url: URL_ONE, isKeyAccepted: false } }, `${URL_ONE}/`, 'the service answers now'],
  ['wrong-address', { answering }, URL_ONE, 'the service answers now'],
  ['spool-unwritable', { canKeep: true }, URL_ONE, 'the folder can be written now'],
  ['unreachable', { answering }, other, undefined],
  ['unreachable', {}, URL_ONE, undefined],
  ['key-refused', { answering }, URL_ONE, undefined],
  ['spool-unwritable', { answering }, URL_ONE, undefined],
  ['queue-full', { answering, canKeep: true }, URL_ONE, undefined],
])('%s, now %j, of %s: over because %s', (kind, present, url, reason) => {
  const [finding] = check([ago(1, { kind, url })], present);
  expect(finding?.level).toBe(reason === undefined ? 'warning' : 'ok');
  expect(finding?.message.startsWith(reason === undefined ? `${kind}, told` : `${kind}, over: ${reason}, told`)).toBe(
    true,
  );
  expect(finding?.advice === undefined).toBe(reason !== undefined);
});

test('it is not over when one of several services still may be away', () => {
  const [finding] = check([ago(1), ago(2, { url: other })], { answering });
  expect(finding?.level).toBe('warning');
});

test.each([
  [{ answering }, /^The key of this check is accepted there/],
  [{ answering: { url: URL_ONE, isKeyAccepted: false } }, /^Set SPOOR_API_KEY/],
  [{ answering: { url: other, isKeyAccepted: true } }, /^Set SPOOR_API_KEY/],
])('what to do about a refused key depends on the key that is known: %j', (present, advice) => {
  expect(check([ago(1, { kind: 'key-refused' })], present)[0]?.advice).toMatch(advice);
});
