import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Path of a file that is to be written. Throws where there is no folder for it. */
export function outputFile(name: string): string {
  const file = resolve(name);
  if (!existsSync(dirname(file))) throw new Error(`Cannot write "${file}": there is no folder "${dirname(file)}"`);
  return file;
}
