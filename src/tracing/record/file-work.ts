import { performance } from '../../host/clock.ts';
import { setImmediate } from '../../host/timers.ts';
import type { KeptFile } from './kept-file.ts';

/** Longest piece of work between two turns of the event loop. */
const TURN_MS = 3;

/** Copies that wait for their digest. */
const MAX_WAITING_BYTES = 48 * 1024 * 1024;

/** Done in the caller's turn when that is full: 2 MiB of media are hashed by then, or 256 KiB of text masked. */
const STEPS_FOR_ROOM = 4;

const waiting = new Set<KeptFile>();
let waitingBytes = 0;
let isDue = false;

/**
 * Has `file` masked and hashed soon, a little in each turn of the event loop. Where nobody asked for room, as for
 * published values, the oldest are finished in the caller's turn.
 */
export function prepareLater(file: KeptFile): void {
  waiting.add(file);
  waitingBytes += file.heldBytes;
  while (isTooMuch()) finishOldest();
  if (isDue) return;
  isDue = true;
  setImmediate(work);
}

function isTooMuch(): boolean {
  return waitingBytes > MAX_WAITING_BYTES;
}

/** Is there room for so many bytes more? A burst waits for a little of the work only, and not for all of it. */
export function makeRoom(bytes: number): boolean {
  const hasRoom = () => waitingBytes === 0 || waitingBytes + bytes <= MAX_WAITING_BYTES;
  for (let steps = 0; steps < STEPS_FOR_ROOM && !hasRoom(); steps++) stepOldest();
  return hasRoom();
}

function stepOldest(): void {
  const [oldest] = waiting;
  if (oldest !== undefined && !oldest.step()) forget(oldest);
}

export function hasWaitingFiles(): boolean {
  return waiting.size > 0;
}

/** Finishes all that waits: the client calls this before it flushes at the end of a process. */
export function prepareFilesNow(): void {
  while (waiting.size > 0) finishOldest();
}

/** The same, a little in each turn; `undefined` when nothing waits. */
export function prepareFiles(): Promise<void> | undefined {
  return waiting.size === 0 ? undefined : prepareInTurns();
}

async function prepareInTurns(): Promise<void> {
  while (waiting.size > 0) {
    await new Promise((resolve) => setImmediate(resolve));
    workFor(TURN_MS);
  }
}

function work(): void {
  workFor(TURN_MS);
  isDue = waiting.size > 0;
  if (isDue) setImmediate(work);
}

function workFor(milliseconds: number): void {
  const startedAt = performance.now();
  for (const file of waiting) {
    while (file.step()) if (performance.now() - startedAt >= milliseconds) return;
    forget(file);
    if (performance.now() - startedAt >= milliseconds) return;
  }
}

function finishOldest(): void {
  const [oldest] = waiting;
  if (oldest === undefined) return;
  while (oldest.step());
  forget(oldest);
}

function forget(file: KeptFile): void {
  waiting.delete(file);
  waitingBytes -= file.heldBytes;
}
