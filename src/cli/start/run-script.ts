import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { stateFolder } from '../../spool/state-folder.ts';
import { keepCode, keptCode } from './compiled-code.ts';

export interface ScriptFile {
  /** Path of a file that is one function, which gets `require` and its path. */
  readonly path: string;
  /** Changes with its text. */
  readonly digest: string;
  /** The command that is run: of what others call nothing is compiled. */
  readonly command: string;
}

/**
 * Runs a file with what the engine has compiled of it before, which is half of the time that a short command takes. The
 * engine itself knows code of other versions and settings, and compiles anew.
 */
export function runScript({ path, digest, command }: ScriptFile): void {
  const place = placeOf(`${command}-${process.version}-${process.arch}-${digest}`);
  const code = place === undefined ? undefined : keptCode(place);
  const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData: code });
  if (place !== undefined && (code === undefined || script.cachedDataRejected === true)) {
    process.on('exit', (status) => {
      // At its end, when all that it calls is compiled; help and failures call little of it.
      if (status === 0 && !process.argv.some((arg) => HELP.includes(arg)))
        keepCode(place, () => script.createCachedData());
    });
  }
  const run = script.runInThisContext() as (require: NodeJS.Require, path: string) => void;
  run(require, path);
}

const HELP = ['-h', '--help'];

/** The state folder is not made for it; on Windows nobody could tell who has written there. */
function placeOf(name: string): string | undefined {
  const home = process.geteuid === undefined ? undefined : stateFolder();
  return home !== undefined && existsSync(home) ? join(home, 'cache', name) : undefined;
}
