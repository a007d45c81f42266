import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What the import of a file of the built package reads before it is done. */
export interface Loaded {
  /** Files of ours. */
  readonly files: readonly string[];
  /** Modules that were put into them. */
  readonly sources: readonly string[];
  /** Packages, and modules of Node that are imported by name. */
  readonly others: readonly string[];
}

/** `entry` is below the root, as `dist/index.js`. What is imported dynamically is loaded when it is first used. */
export async function loadedWith(entry: string): Promise<Loaded> {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outdir: 'out',
  });
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind } of metafile.inputs[file]?.imports ?? []) if (kind !== 'dynamic-import') visit(path);
  };
  visit(entry);
  const files = [...seen].filter((file) => file in metafile.inputs);
  return {
    files,
    sources: files.flatMap(sourcesOf).sort(),
    others: [...seen].filter((file) => !(file in metafile.inputs)).sort(),
  };
}

function sourcesOf(file: string): string[] {
  const { sources } = JSON.parse(readFileSync(join(ROOT, `${file}.map`), 'utf8')) as { sources: string[] };
  return sources.map((source) => relative(ROOT, join(ROOT, file, '..', source)).replaceAll('\\', '/'));
}
