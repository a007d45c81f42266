import { readFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { Hook as ImportHook } from 'import-in-the-middle';
import { register as registerHooks, supportsSyncHooks } from 'import-in-the-middle/register-hooks.mjs';
import { Hook as RequireHook } from 'require-in-the-middle';
import { type CaptureHook, noteCapture } from '../tracing/captures.ts';
import { LIBRARIES, type LoadedLibrary } from './libraries.ts';

/** Looks at the libraries as the program loads them, by `import` and by `require`. Their exports stay as they are. */
export function installLoadHooks(): void {
  const names = LIBRARIES.map(({ name }) => name);
  hookImports(names);
  hooks.push(
    new ImportHook(names, (exported, name, folder) => void take('import', exported, name, folder ?? undefined)),
    // What stands in for the exports has all that they have.
    new RequireHook(
      names,
      (exported, name, folder) => (take('require', exported, name, folder) ?? exported) as typeof exported,
    ),
  );
  takeRequiredBefore();
}

/** For as long as the process runs. */
const hooks: (ImportHook | RequireHook)[] = [];

/** Only modules of these names pass through the loader of `import-in-the-middle`, whichever kind this Node has. */
function hookImports(include: string[]): void {
  if (supportsSyncHooks()) registerHooks({ include });
  else register('import-in-the-middle/hook.mjs', import.meta.url, { data: { include } });
}

/** Answers what is to stand in for `exported`. Never throws: what failed here would be a failed import of the program. */
function take(hook: CaptureHook, exported: unknown, name: string, folder: string | undefined): unknown {
  const library = LIBRARIES.find((known) => known.name === name);
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

/** What is cached is asked for again, and goes past the hook for `require` now. */
function takeRequiredBefore(): void {
  const require = createRequire(import.meta.url);
  for (const [path, module] of Object.entries(require.cache)) {
    const library = LIBRARIES.find((known) => isMainFile(path, known));
    if (library?.mainFile === undefined) continue;
    take('require', module?.exports, library.name, path.slice(0, -library.mainFile.length - 1));
  }
}

function isMainFile(path: string, { name, mainFile }: LoadedLibrary): boolean {
  return mainFile !== undefined && path.replaceAll('\\', '/').endsWith(`/node_modules/${name}/${mainFile}`);
}
