import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Outcome, storeOutcome } from './outcomes.ts';

const OUTCOME: Outcome = {
  place: 'home',
  user: 'root',
  command: 'npm ci && npm test',
  status: 0,
  seconds: 90,
  lastLine: '      Tests  12 passed (12)',
  node: '20.19.0',
  date: '2026-01-31',
};

function linesOf(outcomes: readonly Outcome[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-outcomes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'outcomes.md');
  for (const outcome of outcomes) storeOutcome(path, outcome);
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^# Places\n\n[^-]+\n\n- /);
  return text.split('\n').filter((line) => line.startsWith('- '));
}

const RED = { ...OUTCOME, status: 1, seconds: 5, lastLine: 'a `b`', date: '2026-02-01' };
const GREEN_LINE =
  '- `home`, `npm ci && npm test`: 0 after 90 s, as root, Node 20.19.0, 2026-01-31: `Tests 12 passed (12)`';
const RED_LINE = "- `home`, `npm ci && npm test`: 1 after 5 s, as root, Node 20.19.0, 2026-02-01: `a 'b'`";

test('each place and command has one line, that of its last outcome', () => {
  expect(linesOf([OUTCOME])).toEqual([GREEN_LINE]);
  expect(linesOf([OUTCOME, RED])).toEqual([RED_LINE]);
  expect(linesOf([RED, OUTCOME])).toEqual([GREEN_LINE]);
});

test('other places and commands keep theirs', () => {
  const others = [
    { ...OUTCOME, place: 'user', user: '54322' },
    { ...OUTCOME, command: 'npm ci && npm run demo', status: null },
  ];
  const lines = linesOf([...others, OUTCOME, RED]);
  expect(lines).toHaveLength(3);
  expect(lines).toContain(RED_LINE);
  expect(lines.join('\n')).toContain('- `user`, `npm ci && npm test`: 0 after 90 s, as 54322,');
  expect(lines.join('\n')).toContain('`npm ci && npm run demo`: killed after');
});
