// docs/decisions/0048-commands-that-read-are-one-file.md says why.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { noticeOf } from './bundle-notices.ts';
import { CONTENTS } from './src/cli/definitions/contents.ts';
import { READING } from './src/cli/definitions/reading.ts';

const ROOT = import.meta.dirname;

const NAMES = Object.keys({ ...READING, ...CONTENTS });

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  format: 'cjs',
  platform: 'node',
  metafile: true,
  write: false,
  // Nothing of it may be left to be said when the package runs.
  logOverride: { 'empty-import-meta': 'error' },
} satisfies BuildOptions;

/**
 * Writes what `npx spoor` runs to `cli` in a folder: the start, and all that commands which only read need as one file,
 * packages included. All other commands are modules, which the start imports.
 */
export async function bundleCommands(folder: string): Promise<readonly string[]> {
  const reading = await textOf({
    entryPoints: ['src/cli/start/reading.ts'],
    target: 'node20.19',
    define: { 'import.meta.url': '__filename' },
    plugins: [withoutOthers, withoutChildren],
    banner: { js: '(function (require, __filename) {' },
    footer: { js: '})' },
  });
  const start = await textOf({
    entryPoints: ['src/cli/start/bin.ts'],
    // One that is too old for the rest has to read this.
    target: 'node14.18',
    banner: { js: '#!/usr/bin/env node' },
    define: {
      'import.meta.dirname': '__dirname',
      READING_COMMANDS: JSON.stringify(NAMES),
      READING_DIGEST: JSON.stringify(createHash('sha256').update(reading).digest('hex').slice(0, 16)),
    },
    plugins: [withModulesBeside],
  });
  return Promise.all([
    written(resolve(folder, 'cli/reading.cjs'), reading),
    written(resolve(folder, 'cli/bin.cjs'), start),
    // Scripts may know it by its former name.
    written(resolve(folder, 'cli/main.js'), "#!/usr/bin/env node\nimport './bin.cjs';\n"),
  ]);
}

async function textOf(options: BuildOptions): Promise<string> {
  const { outputFiles, metafile } = await build({ ...OPTIONS, ...options });
  const notices = await Promise.all(packagesIn(metafile).map(noticeOf));
  return [...(outputFiles ?? []).map(({ text }) => text), ...notices].join('\n');
}

function packagesIn({ inputs = {} }: Partial<Metafile> = {}): readonly string[] {
  const found = Object.keys(inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(found)];
}

/** Commands that do more than read are never asked of the file of the others. */
const withoutOthers = without('others', (name) => !NAMES.includes(name));

/** Commands that only read are never asked of modules. */
export const withoutReading = without('reading', (name) => NAMES.includes(name));

function without(called: string, isLeftOut: (command: string) => boolean): Plugin {
  return {
    name: called,
    setup: (building) =>
      building.onLoad({ filter: /\/src\/cli\/commands\/[^/]+\.ts$/ }, ({ path }) =>
        isLeftOut(basename(path, '.ts'))
          ? { contents: 'throw new Error("This command is in another file");' }
          : undefined,
      ),
  };
}

/** The parser of arguments would start commands that are programs of their own, of which there is none. */
const withoutChildren: Plugin = {
  name: 'children',
  setup(building) {
    building.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('/commander/') ? { path: 'children', namespace: 'none' } : undefined,
    );
    building.onLoad({ filter: /^children$/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** The bundle of modules writes it. */
const withModulesBeside: Plugin = {
  name: 'modules',
  setup: (building) =>
    building.onResolve({ filter: /^\.\/modules\.ts$/ }, () => ({ path: './start/modules.js', external: true })),
};

async function written(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
