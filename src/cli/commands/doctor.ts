import { checkCapture } from '../checks/capture.ts';
import { checkNode } from '../checks/node.ts';
import { checkProject } from '../checks/project.ts';
import { checkService } from '../checks/service-check.ts';
import { checkData, type DataCheck } from '../checks/data.ts';
import { checkLastProblems, recentProblems } from '../checks/last-problems.ts';
import { checkRecording } from '../checks/recording.ts';
import { checkRoom } from '../checks/room.ts';
import { checkSpool } from '../checks/spool.ts';
import { checkStateFolder } from '../checks/state-folder.ts';
import type { Finding } from '../checks/finding.ts';
import type { ServiceOptions } from '../known-service.ts';
import { dataFolder, homeFolder } from '../data-folder.ts';
import { readServerFile } from '../../spool/server-file.ts';
import { colors } from '../output/colors.ts';
import { printJson } from '../output/json.ts';
import { toLine } from '../output/plain-text.ts';
import { say } from '../output/say.ts';

export interface DoctorOptions extends ServiceOptions {
  readonly data?: string;
  readonly json?: true;
}

/** Checks what recording and reading need. Exit code 1 when something does not work. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const home = homeFolder();
  const now = Date.now();
  const problems = recentProblems(home, now);
  const recording = checkRecording(process.env);
  const service = await checkService(options);
  const folder = checkStateFolder(home);
  const room = checkRoom(home, { limitBytes: recording.spoolBytes, now });
  const canKeep = folder.every(isNotWrong) && room.every(({ level, about }) => level === 'ok' || about !== 'disk');
  const data = await Promise.all(dataChecks(options).map(checkData));
  const findings = [
    checkNode(process.versions.node),
    ...folder,
    ...recording.findings,
    ...checkCapture(process.cwd()),
    ...service.findings,
    ...data.flat(),
    ...checkLastProblems(problems, { now, answering: service.answering, canKeep }),
    ...room,
    ...checkSpool(home, readServerFile(home)?.url),
    checkProject(options),
  ];
  const isHealthy = findings.every(isNotWrong);
  if (options.json) printJson({ isHealthy, findings, problems });
  else for (const finding of findings) printFinding(finding);
  if (!isHealthy) process.exitCode = 1;
}

/** The folder of the service that runs here and the one that is named, else the usual one. */
function dataChecks(options: DoctorOptions): DataCheck[] {
  const { data: served, database } = readServerFile(homeFolder()) ?? {};
  const named = options.data === undefined ? [] : [dataFolder(options)];
  const folders = new Set([...(served === undefined ? [] : [served]), ...named]);
  // A folder from before is not what a service with a database uses.
  if (folders.size === 0 && database === undefined) folders.add(dataFolder(options));
  return [...folders].map((folder) => ({ folder, isServed: folder === served, isNamed: named.includes(folder) }));
}

function isNotWrong({ level }: Finding): boolean {
  return level !== 'problem';
}

const MARKS = { ok: colors.green('✓'), warning: colors.yellow('!'), problem: colors.red('✗') };

function printFinding({ level, about, message, advice }: Finding): void {
  say(`${MARKS[level]} ${about}: ${toLine(message)}`);
  if (advice !== undefined) say(`  → ${toLine(advice)}`, { indent: 4 });
}
