import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files and packages that are loaded with a file before anything in it runs: what it imports later does not count. */
async function loadedWith(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [`${ROOT}src/cli/${entry}`],
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outdir: 'out',
    logLevel: 'silent',
  });
  const loaded = new Set<string>();
  const open = [`src/cli/${entry}`];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    const imports = metafile.inputs[file]?.imports ?? [];
    open.push(...imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path));
  }
  return [...loaded].filter((file) => !file.startsWith('node:'));
}

test('a first error needs no package', async () => {
  const loaded = await loadedWith('start/modules.ts');
  expect(loaded.filter((file) => !file.startsWith('src/'))).toEqual([]);
});

test('"spoor serve" loads nothing that other commands print or read with', async () => {
  const loaded = [...(await loadedWith('program.ts')), ...(await loadedWith('commands/serve.ts'))];
  expect(loaded.filter((file) => !file.startsWith('src/'))).toEqual(['commander']);
  expect(
    loaded.filter((file) =>
      /^src\/(reader|ui|client|server\/app|cli\/output\/(?!plain-text|say|screen|system-sentence|wrapped))/.test(file),
    ),
  ).toEqual([]);
});
