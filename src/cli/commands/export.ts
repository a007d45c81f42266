import { existsSync } from 'node:fs';
import { type ServiceOptions, connect, serviceOf } from '../known-service.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { outputFile } from '../output/output-file.ts';
import { printJson } from '../output/json.ts';
import { formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { showProgress } from '../output/progress.ts';
import { say } from '../output/say.ts';
import { UsageError } from '../failure.ts';
import { selectionOf } from '../selected-calls.ts';
import { writeCalls } from '../archive/write-calls.ts';

export interface ExportOptions extends ServiceOptions {
  /** Every project that the key may read, instead of one. */
  readonly all?: true;
  /** Unix seconds. */
  readonly since?: number;
  /** Calls that meet it instead of all that there is, in the filter language. */
  readonly filter?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Writes all that one project has, or all projects have, to a file of JSON Lines. */
export async function exportAll(name: string, options: ExportOptions): Promise<void> {
  const file = outputFile(name);
  if (existsSync(file) && !options.force) throw new Error(`"${file}" is there already: --force replaces it`);
  if (options.filter !== undefined) return await exportFiltered(file, options);
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

async function exportFiltered(file: string, options: ExportOptions): Promise<void> {
  if (options.filter?.trim() === '')
    throw new UsageError('The filter is empty: leave --filter out for all that there is');
  if (options.all) throw new UsageError('Cannot filter all projects at once: leave --all or --filter out');
  const { reader, project } = connect(options);
  const selection = { project_id: project, ...selectionOf(options) };
  const progress = showProgress({ unit: 'calls' });
  let count = 0;
  // It may take too long where calls are looked at one by one, and is of use for the line of progress only.
  const over = new AbortController();
  reader.page.stats(selection, { signal: over.signal }).then(
    (sums) => void (count = sums.count),
    () => undefined,
  );
  const onProgress = (calls: number) => progress.onProgress(calls, Math.max(count, calls));
  const calls = await writeCalls(reader, { file, selection, onProgress }).finally(progress.clear);
  over.abort();
  if (options.json) return printJson({ file, projects: [project], calls });
  say(`${toLine(file)} holds ${formatCount(calls)} calls, and nothing that they refer to`);
}
