import { accessSync, constants, type Stats } from 'node:fs';
import { serverFilePath, serverFileRefusal } from '../../spool/server-file.ts';
import { spoolFolder } from '../../spool/state-folder.ts';
import { isOpenToOthers, modeOf, statOf } from './access.ts';
import type { Finding } from './finding.ts';

const WRONG_PLACE = 'Change its owner or mode, or set SPOOR_HOME to another folder';

/** Is the state folder ours, writable, and closed to others? */
export function checkStateFolder(home: string): Finding[] {
  try {
    return checkPlace(home);
  } catch (error) {
    const message = `${home} cannot be looked into: ${error instanceof Error ? error.message : String(error)}`;
    return [{ level: 'problem', about: 'state folder', message, advice: WRONG_PLACE }];
  }
}

function checkPlace(home: string): Finding[] {
  const folder = statOf(home);
  if (!folder) return [{ level: 'ok', about: 'state folder', message: `${home} (made when it is needed)` }];
  if (folder.isDirectory()) return checkContent(home, checkFolder(home, folder));
  const message = `${home} is not a folder`;
  return [{ level: 'problem', about: 'state folder', message, advice: 'Remove it, or set SPOOR_HOME' }];
}

/** A folder that cannot be entered is not looked into. */
function checkContent(home: string, folder: Finding): Finding[] {
  return folder.level === 'problem' ? [folder] : [folder, ...checkSpoolFolder(home), ...checkServerFile(home)];
}

/** The folder below it that records wait in. */
function checkSpoolFolder(home: string): Finding[] {
  const path = spoolFolder(home);
  const folder = statOf(path);
  if (!folder || (folder.isDirectory() && isWritable(path))) return [];
  const [message, advice] = folder.isDirectory()
    ? [`${path} cannot be written: no record can wait on disk`, 'Change its owner or mode']
    : [`${path} is not a folder: no record can wait on disk`, 'Remove it'];
  return [{ level: 'problem', about: 'state folder', message, advice }];
}

function checkFolder(home: string, folder: Stats): Finding {
  const about = 'state folder';
  if (!isWritable(home)) {
    const message = `${home} cannot be written`;
    return {
      level: 'problem',
      about,
      message,
      advice: WRONG_PLACE,
    };
  }
  if (isOpenToOthers(folder)) {
    const message = `${home} is open to other users (mode ${modeOf(folder)})`;
    return { level: 'warning', about, message, advice: `Run: chmod 700 ${home}` };
  }
  return { level: 'ok', about, message: home };
}

/** The file holds a key. */
function checkServerFile(home: string): Finding[] {
  const path = serverFilePath(home);
  const refusal = serverFileRefusal(home);
  if (refusal !== undefined) {
    const advice = `Run: chmod 700 ${home} && rm ${path}, and start the service again`;
    return [{ level: 'problem', about: 'server file', message: `nobody believes ${refusal}`, advice }];
  }
  const file = statOf(path);
  if (!file || !isOpenToOthers(file)) return [];
  const message = `${path} holds a key and is open to other users (mode ${modeOf(file)})`;
  return [{ level: 'problem', about: 'server file', message, advice: `Run: chmod 600 ${path}` }];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
