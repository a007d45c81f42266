import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import { stateFolder } from '../../spool/state-folder.ts';
import { keepCode, keptCode } from './compiled-code.ts';

export interface ScriptFile {
  /** Path of a file that is one function, which gets `require` and its path. */
  readonly path: string;
  /** Changes with its text. */
  readonly digest: string;
}

/**
 * Runs a file with what the engine has compiled of it before, which is half of the time that a short command takes. The
 * engine itself knows code of other versions and settings, and compiles anew.
 */
export function runScript({ path, digest }: ScriptFile): void {
  const home = stateFolder();
  const place = home === undefined ? undefined : join(home, 'cache', `commands-${process.version}-${process.arch}`);
  const code = place === undefined ? undefined : keptCode(place, digest);
  const script = new Script(readFileSync(path, 'utf8'), {
    filename: path,
    cachedData: code,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (place !== undefined && (code === undefined || script.cachedDataRejected === true)) {
    // At its end, when all that it calls is compiled.
    process.on('exit', () => keepCode(place, { digest, code: script.createCachedData() }));
  }
  const run = script.runInThisContext() as (require: NodeJS.Require, path: string) => void;
  run(require, path);
}
