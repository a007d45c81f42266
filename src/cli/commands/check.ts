import type { CheckResult } from '../../storage/contract/upkeep.ts';
import { checkedPlace, type PlaceOptions } from '../data-upkeep.ts';
import { colors } from '../output/colors.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { remark, say } from '../output/say.ts';

export interface CheckOptions extends PlaceOptions {
  readonly json?: true;
}

/** Checks what a service keeps. Exit code 1 when something is wrong. */
export async function check(options: CheckOptions): Promise<void> {
  const { path, results, remedy } = await checkedPlace(options);
  const findings: CheckResult[] = [];
  for await (const finding of results) {
    findings.push(finding);
    // As it comes: a large file takes minutes.
    if (!options.json) print(finding);
  }
  const isHealthy = findings.every(({ problem }) => problem === undefined);
  if (options.json) printJson({ isHealthy, path, findings });
  else if (!isHealthy) remark(`spoor: ${toLine(path)} is damaged: ${remedy}`);
  if (!isHealthy) process.exitCode = 1;
}

function print({ about, problem }: CheckResult): void {
  // Names of projects may be in it.
  const subject = toLine(about);
  const line =
    problem === undefined ? `${colors.green('✓')} ${subject}` : `${colors.red('✗')} ${subject}: ${toLine(problem)}`;
  say(line);
}
