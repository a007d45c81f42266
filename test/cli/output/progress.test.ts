import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../../src/cli/output/progress.ts';

const wasTerminal = process.stderr.isTTY;
let written = '';

beforeEach(() => {
  written = '';
  vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  process.stderr.isTTY = wasTerminal;
});

/** Calls that are written at a hundred a second. */
function work(seconds: number): void {
  const progress = showProgress({ unit: 'calls' });
  for (let second = 1; second <= seconds; second++) {
    vi.advanceTimersByTime(1000);
    progress.onProgress(second * 100, 2000);
  }
  progress.clear();
}

test.each([true, false])('what takes no second is not told, at a terminal: %s', (isTerminal) => {
  process.stderr.isTTY = isTerminal;
  const progress = showProgress();
  vi.advanceTimersByTime(999);
  progress.onProgress(500, 1000);
  progress.clear();
  expect(written).toBe('');
});

test('where lines stay there is one in five seconds, plain, with how much of how much and its rate', () => {
  process.stderr.isTTY = false;
  work(12);
  const lines = written.split('\n').filter((line) => line.trim() !== '');
  expect(lines[0]).toBe('5 % · 100 of about 2,000 calls · 100/s');
  expect(lines.at(-1)).toBe('60 % · 1,200 of about 2,000 calls · 100/s');
  expect(lines.length).toBeLessThan(6);
  expect(written).not.toContain('\u001b');
});

test('at a terminal it is one line, which goes when the work is done', () => {
  process.stderr.isTTY = true;
  work(12);
  expect(written).toContain('of about 2,000 calls · 100/s');
  expect(written).not.toContain('\n');
  // What stands there is cleared, and the cursor is shown.
  const left = written.slice(written.lastIndexOf('/s') + 2).split('\u001b');
  expect(left.some((sequence) => /^\[[012]?[JK]/.test(sequence))).toBe(true);
  expect(left).toContain('[?25h');
});
