import { reportProblem } from './tracer.ts';

/** Estimated JSON bytes of the records that may wait; beyond it the oldest are written as they are. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;

interface Held {
  readonly bytes: number;
  /** `undefined` when it is done: who waits for a Blob that never ends keeps no record alive. */
  write: (() => void) | undefined;
}

/**
 * Records that wait for the content of a Blob, which tells it only later. Each is written once: with the content,
 * or without it when the process ends first.
 */
const held = new Map<Held, Promise<void>>();
let heldBytes = 0;

/** Calls `write` when `reading` is over, however it ends, or when all that waits is written. */
export function writeWhenRead(reading: Promise<unknown>, bytes: number, write: () => void): void {
  const record: Held = { bytes, write };
  held.set(record, waitAndWrite(reading, record));
  heldBytes += bytes;
  if (heldBytes > MAX_HELD_BYTES) writeOldest();
}

function writeOldest(): void {
  reportProblem('held_records_full', 'Cannot wait for the content of all Blobs and large files', TOO_MUCH);
  for (const record of held.keys()) {
    if (heldBytes <= MAX_HELD_BYTES) return;
    writeOnce(record);
  }
}

const TOO_MUCH = `the calls that do hold more than ${MAX_HELD_BYTES} bytes`;

/** Resolves when what waits now has been written; `undefined` when nothing waits. */
export function heldRecords(): Promise<unknown> | undefined {
  return held.size === 0 ? undefined : Promise.all(held.values());
}

/** Writes what waits as it is. */
export function writeHeldRecords(): void {
  for (const record of held.keys()) writeOnce(record);
}

async function waitAndWrite(reading: Promise<unknown>, record: Held): Promise<void> {
  try {
    await reading;
  } catch (error) {
    reportProblem('held_record', 'Cannot read the content of a Blob', error);
  }
  writeOnce(record);
}

function writeOnce(record: Held): void {
  const { write, bytes } = record;
  if (write === undefined) return;
  record.write = undefined;
  held.delete(record);
  heldBytes -= bytes;
  try {
    write();
  } catch (error) {
    reportProblem('held_record', 'Cannot write a call whose content was read later', error);
  }
}
