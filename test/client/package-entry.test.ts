import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { loadedWith } from '../loaded-with.ts';
import { makeHome, runNode } from '../flow/service-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

beforeAll(buildOnce, 120_000);

test('importing the package loads no other package', async () => {
  const { sources, others } = await loadedWith('dist/index.js');
  expect(others).toEqual([]);
  expect(sources.length).toBeGreaterThan(20);
});

test('bundlers are told that the entry does something when it is loaded', () => {
  const { sideEffects } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { sideEffects: string[] };
  expect(sideEffects).toContain('./dist/index.js');
});

test('a bundle that takes only traced still records', async () => {
  const { home, remove } = makeHome();
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  writeFileSync(join(folder, 'app.js'), `import { traced } from 'spoor';\nconsole.log(traced((n) => n + 1)(1));`);
  await build({
    entryPoints: [join(folder, 'app.js')],
    outfile: join(folder, 'out.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { spoor: join(ROOT, 'dist/index.js') },
    logLevel: 'silent',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const { stdout, stderr } = await runNode([join(folder, 'out.mjs')], { home });
  expect({ stdout, stderr }).toEqual({ stdout: '2\n', stderr: '' });
  const { stdout: listed } = await runNode(
    ['-e', `console.log(fs.readdirSync(process.argv[1]).length)`, join(home, 'spool')],
    { home },
  );
  expect(listed).toBe('1\n');
  rmSync(folder, { recursive: true });
  remove();
});
