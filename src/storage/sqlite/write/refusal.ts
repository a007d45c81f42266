import type { Change } from '../threads/requests.ts';
import { isPacked, packTable } from '../../packed/packed-table.ts';

/** Writes up to this are kept as they are: copying one of them for a thread takes a few milliseconds. */
const MAX_SAMPLE_BYTES = 1024 * 1024;

/** A disk with room for this and a little more has enough for what is usual. */
const MAX_ROOM_BYTES = 4 * 1024 * 1024;

/** Facts kept of refused writes: enough to find out whether they would be taken, and of a bounded size. */
export interface Refusal {
  /** The first that is small enough to be kept. It finds damage, which may be where only writes of its kind come. */
  readonly sample: Change | undefined;
  /** As many as the heaviest of them has, up to a limit: room for so many there must be. */
  readonly roomBytes: number;
}

export const NOTHING_REFUSED: Refusal = { sample: undefined, roomBytes: 0 };

export function refusalOf(change: Change, bytes: number): Refusal {
  const sample = bytes > MAX_SAMPLE_BYTES ? undefined : change;
  return { sample, roomBytes: Math.min(bytes, MAX_ROOM_BYTES) };
}

/** The very refusal that is known, where the other one adds nothing to it. */
export function joinRefusals(known: Refusal, other: Refusal): Refusal {
  const sample = known.sample ?? other.sample;
  const roomBytes = Math.max(known.roomBytes, other.roomBytes);
  return sample === known.sample && roomBytes === known.roomBytes ? known : { sample, roomBytes };
}

/** The same as it can be sent to a thread: rows of a table are made while they are gone through. */
export function sendableRefusal(refusal: Refusal): Refusal {
  const { sample } = refusal;
  if (sample?.op !== 'createTable' || isPacked(sample.table)) return refusal;
  return { ...refusal, sample: { op: 'createTable', table: packTable(sample.table) } };
}
