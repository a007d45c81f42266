import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Wrap } from '../../src/testing/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** The serving half is ten times as large, and takes no part. */
const SERVING = ['cli', 'server', 'storage', 'testing'].map((folder) => join(DIST, folder));

/** The wrapper of a copy of the package. */
export function secondCopy(): Wrap {
  const { entry, remove } = copyPackage();
  try {
    // The test runner would take each file of it apart.
    const load = createRequire(import.meta.url);
    return (load(entry) as { traced: Wrap }).traced;
  } finally {
    remove();
  }
}

/** The package installed a second time, as it is when two dependencies bring it along. */
export function copyPackage(): { readonly entry: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-copy-'));
  cpSync(DIST, join(folder, 'dist'), { recursive: true, filter: isRecording });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { entry: join(folder, 'dist', 'index.js'), remove: () => rmSync(folder, { recursive: true }) };
}

function isRecording(path: string): boolean {
  return !SERVING.includes(path) && !/\.(?:d\.ts|map)$/.test(path);
}
