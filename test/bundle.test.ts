import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeOthers } from '../bundle.ts';

test('code of earlier builds goes; the page, and what others have put there, stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-bundle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stays = ['index.js', 'index.d.ts', 'ui/index.html', 'ui/assets/old.js', 'notes.txt', 'data/rows.csv'];
  const goes = [
    'gone.js',
    'gone.d.ts',
    'older/gone.cjs',
    'older/gone.d.cts',
    'chunks/old-ABC.js',
    'chunks/old-ABC.js.map',
  ];
  for (const file of [...stays, ...goes]) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  await removeOthers(
    folder,
    ['index.js', 'index.d.ts'].map((file) => join(folder, file)),
  );
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()).toEqual(
    [...stays].sort(),
  );
});
