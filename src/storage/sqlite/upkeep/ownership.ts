import { TracingError } from '../../../protocol/error.ts';
import { loadDriver } from '../driver.ts';
import { makePrivate } from '../../private-file.ts';

/** A process that is just ending, or a thread of ours, may hold the database a moment longer. */
const WAIT_MS = 1000;

/**
 * Makes this thread the only writer of a database until the returned function is called, or the process has ended
 * in whatever way. Writers remember what they have seen in the database, so a second one would write over the first.
 *
 * Throws `invalid_configuration` when another has it.
 */
export function ownDatabase(path: string): () => void {
  // A lock of the system on a file beside the database, taken through SQLite as Node has no other way to it.
  makePrivate(`${path}-owner`);
  const lock = new (loadDriver().DatabaseSync)(`${path}-owner`);
  try {
    lock.exec(`PRAGMA busy_timeout = ${WAIT_MS}; BEGIN EXCLUSIVE`);
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new TracingError('invalid_configuration', `Cannot open the database "${path}": another service uses it`, {
      cause,
    });
  }
  return () => lock.close();
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
