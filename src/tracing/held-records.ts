import { reportProblem } from './tracer.ts';

/**
 * Records that wait for the content of a Blob, which tells it only later. Each is written once: with the content,
 * or without it when the process ends first.
 */
const held = new Map<() => void, Promise<void>>();

/** Calls `write` when `reading` is over, or when all that waits is written. `reading` never rejects. */
export function writeWhenRead(reading: Promise<unknown>, write: () => void): void {
  held.set(write, waitAndWrite(reading, write));
}

/** Resolves when what waits now has been written; `undefined` when nothing waits. */
export function heldRecords(): Promise<unknown> | undefined {
  return held.size === 0 ? undefined : Promise.all(held.values());
}

/** Writes what waits as it is. */
export function writeHeldRecords(): void {
  for (const write of held.keys()) writeOnce(write);
}

async function waitAndWrite(reading: Promise<unknown>, write: () => void): Promise<void> {
  await reading;
  writeOnce(write);
}

function writeOnce(write: () => void): void {
  if (!held.delete(write)) return;
  try {
    write();
  } catch (error) {
    reportProblem('held_record', 'Cannot write a call whose content was read later', error);
  }
}
