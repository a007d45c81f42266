import { join } from 'node:path';
import { chance } from '../host/random.ts';
import { Date } from '../host/clock.ts';
import { FREE, isOwnerAlive, ownerOf } from './owner.ts';

/**
 * `<milliseconds>-<count and random>.<owner>.jsonl`: names sort by age, and the owner is the lock. Taking a segment over is
 * one rename, which only one process can win.
 */
export interface SegmentName {
  readonly path: string;
  readonly folder: string;
  readonly stem: string;
  readonly owner: string;
}

const DAMAGED_NAME = /^\d{13}-[0-9a-f]{8}\.damaged$/;
const NAME = /^(\d{13}-[0-9a-f]{8})\.(free|\d+-\d+(?:-\d+)?)\.jsonl$/;

/** Segments of one millisecond keep their order too, and those of a clock that goes back. */
let counter = 0;
let lastMs = 0;

export function newSegmentName(folder: string): SegmentName {
  const order = (counter++ & 0xffff).toString(16).padStart(4, '0');
  lastMs = Math.max(lastMs, Date.now());
  const random = chance().randomBytes(2).toString('hex');
  const stem = `${String(lastMs).padStart(13, '0')}-${order}${random}`;
  return segmentName(folder, stem, ownerOf());
}

export function parseSegmentName(folder: string, file: string): SegmentName | undefined {
  const [, stem, owner] = NAME.exec(file) ?? [];
  return stem && owner ? { path: join(folder, file), folder, stem, owner } : undefined;
}

export function withOwner({ folder, stem }: SegmentName, owner: string): SegmentName {
  return segmentName(folder, stem, owner);
}

/** Where a segment lies that was damaged: under a name that is no segment's. */
export function asideName({ folder, stem }: SegmentName): string {
  return join(folder, `${stem}.damaged`);
}

export function isAsideName(file: string): boolean {
  return DAMAGED_NAME.test(file);
}

/** Does no living process own it? */
export function isOrphan({ owner }: SegmentName): boolean {
  return owner === FREE || !isOwnerAlive(owner);
}

function segmentName(folder: string, stem: string, owner: string): SegmentName {
  return { path: join(folder, `${stem}.${owner}.jsonl`), folder, stem, owner };
}
