import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { readKeys } from '../../server/keys/keys.ts';
import { dataFolder } from '../data-folder.ts';
import { backupUpkeep } from '../data-upkeep.ts';
import { outputFile } from '../output/output-file.ts';
import { printJson } from '../output/json.ts';
import { formatBytes } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { showProgress } from '../output/progress.ts';
import { say } from '../output/say.ts';

export interface BackupOptions {
  readonly data?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Writes all data of a folder to one file: the database, and what is kept of the keys, which are only their hashes. */
export async function backup(name: string, options: BackupOptions): Promise<void> {
  const folder = dataFolder(options);
  const file = outputFile(name);
  const createdAt = new Date().toISOString();
  const keys = readKeys(folder);
  const notes = { createdAt, version: PACKAGE_VERSION, ...(keys !== undefined && { keys }) };
  const upkeep = await backupUpkeep(folder);
  const { onProgress, clear } = showProgress();
  const isForced = options.force === true;
  const bytes = await upkeep.backUp(file, { notes, isForced, onProgress }).finally(clear);
  if (options.json) printJson({ file, bytes, createdAt });
  else say(`${toLine(file)} holds all data of ${toLine(folder)} · ${formatBytes(bytes)}`);
}
