import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { importArchive } from '../archive/import-archive.ts';
import { importCalls, isFileOfCalls } from '../archive/import-calls.ts';
import { homeFolder } from '../data-folder.ts';
import { type ServiceOptions, serviceOf } from '../known-service.ts';
import { printJson } from '../output/json.ts';
import { formatBytes, formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { showProgress } from '../output/progress.ts';
import { say } from '../output/say.ts';

export interface ImportCommandOptions extends Pick<ServiceOptions, 'url' | 'key'> {
  readonly json?: true;
}

/** Sends what `spoor export` or the page wrote to a service; what is there already stays as it is. */
export async function importAll(name: string, options: ImportCommandOptions): Promise<void> {
  const file = resolve(name);
  const service = serviceOf(options);
  const { size } = statSync(file);
  const progress = showProgress();
  // What was sent is read back at the end.
  const onProgress = (bytes: number) => progress.onProgress(bytes, 2 * size);
  const onCheck = (bytes: number) => progress.onProgress(size + bytes, 2 * size);
  const importing = (await isFileOfCalls(file))
    ? importCalls(service, { file, onProgress: (bytes) => progress.onProgress(bytes, size) })
    : importArchive(service, { file, home: homeFolder(), onProgress, onCheck });
  const result = await importing.finally(progress.clear);
  if (options.json) return printJson({ file, url: service.url, ...result });
  const from = result.resumedAt === 0 ? '' : `, after the first ${formatBytes(result.resumedAt)} of an attempt before`;
  say(
    `${toLine(service.url)} has all of ${toLine(file)}: ${formatCount(result.calls)} calls sent${from}, ${formatCount(result.compared)} lines compared`,
  );
}
