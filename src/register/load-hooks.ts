// docs/decisions/0021-loader-hooks-are-optional-packages.md says why.
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { Hook as ImportHook } from 'import-in-the-middle';
import { register as registerHooks, supportsSyncHooks } from 'import-in-the-middle/register-hooks.mjs';
import { Hook as RequireHook } from 'require-in-the-middle';
import { type CaptureHook, noteCapture } from '../tracing/instrument.ts';
import { LIBRARIES, type LoadedLibrary } from './libraries.ts';

/** Looks at the libraries as the program loads them, by `import` and by `require`. Their exports stay as they are. */
export function installLoadHooks(): void {
  hookImports(LIBRARIES.flatMap(importsOf));
  hooks.push(
    new ImportHook(
      LIBRARIES.map(({ name }) => name),
      { internals: true },
      (exported, name, folder) => void take('import', exported, name, folder ?? undefined),
    ),
    // What stands in for the exports has all that they have.
    new RequireHook(
      LIBRARIES.flatMap(requiresOf),
      (exported, name, folder) => (take('require', exported, name, folder) ?? exported) as typeof exported,
    ),
  );
  takeRequiredBefore();
}

/** As programs import it, or the address of the module inside. */
function importsOf({ name, files, innerFiles = [] }: LoadedLibrary): (string | RegExp)[] {
  const byPath = (files ?? innerFiles).map((file) => new RegExp(`/node_modules/${escaped(`${name}/${file}`)}$`));
  return files === undefined ? [name, ...byPath] : byPath;
}

/** The hook for `require` leaves out what Node finds by itself. */
function requiresOf({ name, files, innerFiles = [] }: LoadedLibrary): string[] {
  const byPath = (files ?? innerFiles).map((file) => `${name}/${file}`.replace(/(?:\/index)?\.js$/, ''));
  return files === undefined ? [name, ...byPath] : byPath;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** For as long as the process runs. */
const hooks: (ImportHook | RequireHook)[] = [];

/** Only modules of these names pass through the loader of `import-in-the-middle`, whichever kind this Node has. */
function hookImports(include: (string | RegExp)[]): void {
  // By its version Bun would.
  if (process.versions['bun'] !== undefined)
    throw new Error('Bun has no hooks for modules: wrap clients by hand, as with wrapOpenAI()');
  if (supportsSyncHooks()) registerHooks({ include });
  else Module.register('import-in-the-middle/hook.mjs', import.meta.url, { data: { include } });
}

/** Answers what is to stand in for `exported`. Never throws: what failed here would be a failed import of the program. */
function take(hook: CaptureHook, exported: unknown, name: string, folder: string | undefined): unknown {
  const module = name.replaceAll('\\', '/');
  const library = LIBRARIES.find((known) => [known.name, ...filesOf(known), ...requiresOf(known)].includes(module));
  if (library === undefined) return undefined;
  const version = folder === undefined ? undefined : versionIn(folder);
  try {
    return library.capture(exported, { hook, version });
  } catch (error) {
    noteFailure(library, hook, version, error);
    return undefined;
  }
}

function noteFailure({ name }: LoadedLibrary, hook: CaptureHook, version: string | undefined, error: unknown): void {
  const message = `${version ?? 'its version is not known'}: ${error instanceof Error ? error.message : String(error)}`;
  noteCapture({ library: name, version, hook, state: 'changed', ops: [], message });
}

function versionIn(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Modules in the cache are asked for again, and go past the hook for `require` now. */
function takeRequiredBefore(): void {
  const require = createRequire(import.meta.url);
  for (const [path, module] of Object.entries(require.cache)) {
    for (const library of LIBRARIES) {
      const file = filesOf(library).find((each) => path.replaceAll('\\', '/').endsWith(`/node_modules/${each}`));
      if (file === undefined) continue;
      take('require', module?.exports, file, path.slice(0, path.length - file.length + library.name.length));
    }
  }
}

/** The modules of a library that are looked at. */
function filesOf({ name, mainFile, innerFiles = [], files }: LoadedLibrary): string[] {
  const all = files ?? [...(mainFile === undefined ? [] : [mainFile]), ...innerFiles];
  return all.map((file) => `${name}/${file}`);
}
