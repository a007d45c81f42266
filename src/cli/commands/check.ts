import { databasePath } from '../../server/database-path.ts';
import type { CheckResult } from '../../storage/contract/upkeep.ts';
import { dataFolder } from '../data-folder.ts';
import { dataUpkeep } from '../data-upkeep.ts';
import { colors } from '../output/colors.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';

export interface CheckOptions {
  readonly data?: string;
  readonly json?: true;
}

/** Checks the database of a data folder. Exit code 1 when something is wrong. */
export async function check(options: CheckOptions): Promise<void> {
  const folder = dataFolder(options);
  const path = databasePath(folder);
  const findings: CheckResult[] = [];
  for await (const finding of (await dataUpkeep(folder)).check()) {
    findings.push(finding);
    // As it comes: a large file takes minutes.
    if (!options.json) print(finding);
  }
  const isHealthy = findings.every(({ problem }) => problem === undefined);
  if (options.json) printJson({ isHealthy, path, findings });
  else if (!isHealthy)
    process.stderr.write(`spoor: ${toLine(path)} is damaged: stop the service and restore a backup\n`);
  if (!isHealthy) process.exitCode = 1;
}

function print({ about, problem }: CheckResult): void {
  const line =
    problem === undefined ? `${colors.green('✓')} ${about}` : `${colors.red('✗')} ${about}: ${toLine(problem)}`;
  process.stdout.write(`${line}\n`);
}
