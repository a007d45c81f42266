import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = 'dist/index.js';

beforeAll(buildOnce, 120_000);

/** Everything that `import 'spoor'` reads before it is done: files of ours, packages and modules of Node. */
async function loadedAtImport(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outdir: 'out',
  });
  return [...reachable(metafile, ENTRY, new Set())].sort();
}

/** What is imported dynamically is loaded when it is first used. */
function reachable({ inputs }: Metafile, file: string, seen: Set<string>): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of inputs[file]?.imports ?? []) {
    if (kind !== 'dynamic-import') reachable({ inputs, outputs: {} }, path, seen);
  }
  return seen;
}

test('the import of spoor loads the files, packages and modules of Node in this list: every one costs', async () => {
  const loaded = await loadedAtImport();
  expect(loaded.length).toBeGreaterThan(50);
  await expect(`${loaded.join('\n')}\n`).toMatchFileSnapshot('loaded-at-import.txt');
});
