import { resolve } from 'node:path';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { isLimit } from '../../server/shared-policy.ts';
import { restoreKeys } from '../../server/keys/keys.ts';
import type { RetentionPolicy } from '../../storage/contract/retention.ts';
import { policyText } from '../../storage/values/policy-text.ts';
import { dataFolder } from '../data-folder.ts';
import { backupUpkeep } from '../data-upkeep.ts';
import { printJson } from '../output/json.ts';
import { formatTime } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { showProgress } from '../output/progress.ts';
import { say } from '../output/say.ts';

export interface RestoreOptions {
  readonly data?: string;
  readonly force?: true;
  readonly json?: true;
}

/**
 * Puts a backup into a data folder. Keys that the folder has stay as they are, so that no revoked key comes to life;
 * a folder without keys gets those of the backup.
 */
export async function restore(name: string, options: RestoreOptions): Promise<void> {
  const folder = dataFolder(options);
  const file = resolve(name);
  const upkeep = await backupUpkeep(folder);
  const { onProgress, clear } = showProgress();
  const isForced = options.force === true;
  const { notes, policy } = await upkeep.restore(file, { isForced, onProgress }).finally(clear);
  const hasRestoredKeys = notes['keys'] !== undefined && restoreKeys(folder, notes['keys']);
  const createdAt = notes['createdAt'] ?? null;
  if (options.json) return printJson({ folder, createdAt, hasRestoredKeys, policy: policy ?? null });
  const micros = createdAt === null ? undefined : parseDateTime(createdAt);
  const time = micros === undefined ? '' : ` of ${formatTime(micros)}`;
  say(`${toLine(folder)} holds the data${time}${hasRestoredKeys ? ', and its keys' : ''}`);
  if (policy !== undefined && isLimit(policy)) say(warningOf(policy));
}

/** The data is that of another day, so more of it is old than there was then. */
function warningOf(policy: RetentionPolicy): string {
  return `a service removes what is older than it was told before the backup (kept: ${toLine(policyText(policy))}); with --retain-days all it keeps everything`;
}
