import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const ENGINE = "'(?:memory|sqlite|clickhouse)'";
const BY_NAME = new RegExp(`[!=]== ${ENGINE}|${ENGINE} [!=]==`);

/** Files that need the name of an engine, with the reason and the number of lines. */
const MAY_NAME_ONE: Readonly<Record<string, readonly [lines: number, reason: string]>> = {
  'test/clickhouse/engine-of-run.ts': [1, 'says on which engine a run is'],
  'test/filter/service.test.ts': [1, 'makes the folder that an engine with files needs'],
  'test/protocol/sections/service.ts': [1, 'makes the database that an engine in another process needs'],
  'test/server/running-server.ts': [2, 'makes the folder or the database that an engine needs'],
};

function filesByName(): Record<string, number> {
  const files = ['src/testing', 'test'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  );
  const counts = files
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/node_modules/'))
    .map((file) => {
      const lines = readFileSync(`${ROOT}${file}`, 'utf8').split('\n');
      return [file, lines.filter((line) => BY_NAME.test(line)).length] as const;
    });
  expect(counts.length).toBeGreaterThan(500);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

test('tests know an engine by what it can do, not by its name', () => {
  const allowed = Object.entries(MAY_NAME_ONE).map(([file, [lines]]) => [file, lines]);
  expect(filesByName()).toEqual(Object.fromEntries(allowed));
});
