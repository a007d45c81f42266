import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { contentOf, exported, fill, PROJECT, startPlace } from './archived.ts';
import { placesWithin, runKilled } from './killed-runs.ts';

beforeAll(buildOnce, 120_000);

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

test('exports and imports that are killed again and again lose nothing', { timeout: 240_000 }, async () => {
  const [from, to] = [await startPlace(), await startPlace()];
  await fill(from);
  const whole = await exported(from, 'whole.jsonl');
  const bytes = sizeOf(whole);

  const file = join(from.home, 'killed.jsonl');
  const part = `${file}.part`;
  const out = await runKilled({
    home: from.home,
    args: ['export', file, '--project', PROJECT],
    progress: () => sizeOf(part),
    killedAt: placesWithin(bytes, 4),
  });
  expect(out.kills).toBeGreaterThan(0);
  // An attempt that nobody killed in time has ended well, and its file stays.
  expect(out.last.code === 0 ? '' : out.last.stderr).toMatch(/^$|is there already/);
  expect(contentOf(file)).toEqual(contentOf(whole));

  const into = await runKilled({
    home: to.home,
    args: ['import', file],
    progress: () => offsetIn(join(to.home, 'imports')),
    killedAt: placesWithin(bytes, 4),
  });
  expect(into.kills).toBeGreaterThan(0);
  expect(into.last.code).toBe(0);
  expect(contentOf(await exported(to, 'copy.jsonl'))).toEqual(contentOf(whole));
});

/** How far the import is that keeps its place in this folder. */
function offsetIn(folder: string): number {
  try {
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    return Math.max(0, ...texts.map((text) => Number(/"offset":(\d+)/.exec(text)?.[1] ?? 0)));
  } catch {
    // Before it begins there is none, and a file may go between two looks.
    return 0;
  }
}
