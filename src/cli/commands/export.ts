import { existsSync } from 'node:fs';
import { type ServiceOptions, connect, serviceOf } from '../known-service.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { outputFile } from '../output/output-file.ts';
import { printJson } from '../output/json.ts';
import { formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { showProgress } from '../output/progress.ts';
import { say } from '../output/say.ts';

export interface ExportOptions extends ServiceOptions {
  /** Every project that the key may read, instead of one. */
  readonly all?: true;
  /** Unix seconds. */
  readonly since?: number;
  readonly force?: true;
  readonly json?: true;
}

/** Writes all that one project has, or all projects have, to a file of JSON Lines. */
export async function exportAll(name: string, options: ExportOptions): Promise<void> {
  const file = outputFile(name);
  if (existsSync(file) && !options.force) throw new Error(`"${file}" is there already: --force replaces it`);
  const service = serviceOf(options);
  const { reader, project } = connect(options);
  const projects = options.all ? (await reader.page.projects()).map(({ project_id: id }) => id).toSorted() : [project];
  let whole = 0;
  for (const project_id of projects) whole += (await reader.calls.stats({ project_id })).count;
  const progress = showProgress({ unit: 'calls' });
  const onProgress = (calls: number) => progress.onProgress(calls, Math.max(whole, calls));
  const { since } = options;
  const counts = await writeArchive(service, { file, projects, since, onProgress }).finally(progress.clear);
  if (options.json) return printJson({ file, projects, ...counts });
  const { calls, objects, files, feedback } = counts;
  const facts = [`${formatCount(calls)} calls`, `${formatCount(objects)} objects`, `${formatCount(files)} files`];
  say(`${toLine(file)} holds ${[...facts, `${formatCount(feedback)} feedbacks`].join(', ')}`);
}
