import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkCapture } from '../../../src/cli/checks/capture.ts';

/** A folder below one in which the library is installed. */
function folderWith(version: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-capture-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules', 'openai'), { recursive: true });
  mkdirSync(join(folder, 'app'));
  writeFileSync(join(folder, 'node_modules', 'openai', 'package.json'), JSON.stringify({ version }));
  return join(folder, 'app');
}

test.each(['5.0.0', '6.99.1', '7.99.1'])('version %s is among the tested ones', (version) => {
  const message = `openai ${version} is recorded under --import spoor/register`;
  expect(checkCapture(folderWith(version))).toEqual([{ level: 'ok', about: 'capture', message }]);
});

test.each(['4.104.0', '8.0.0', '10.1.0', 'next'])('version %s is not', (version) => {
  expect(checkCapture(folderWith(version))).toMatchObject([
    { level: 'warning', message: expect.stringContaining(`openai ${version} was never tested`) as string },
  ]);
});

test('what is not installed, or says no version, is nothing to tell', () => {
  expect(checkCapture(folderWith(undefined))).toEqual([]);
  expect(checkCapture(tmpdir())).toEqual([]);
});
