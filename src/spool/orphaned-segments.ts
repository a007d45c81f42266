import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isOfOtherFormat, parseHeader, type SegmentTarget } from './segment-format.ts';
import { ownerOf } from './owner.ts';
import { claimSegment, type DamagedSegment, SegmentFile } from './segment-file.ts';
import { readHead, type SegmentHead } from './segment-head.ts';
import { isAsideName, isOrphan, parseSegmentName, type SegmentName } from './segment-name.ts';
import { spoolFolder } from './state-folder.ts';

export interface SegmentInfo extends SegmentHead {
  readonly name: SegmentName;
  readonly bytes: number;
  /** Owned by no living process. */
  readonly isOrphan: boolean;
}

/** All segments of a state folder, oldest first; none when there is no folder. */
export function listSegments(home: string): SegmentInfo[] {
  return segmentNames(home).flatMap((name) => {
    const bytes = sizeOf(name.path);
    if (bytes === undefined) return [];
    return [{ name, bytes, isOrphan: isOrphan(name), ...headOf(name.path) }];
  });
}

/** Segments of which not all could be read, kept aside, oldest first. */
export function listDamaged(home: string): { readonly path: string; readonly bytes: number }[] {
  const folder = spoolFolder(home);
  const paths = filesOf(folder)
    .sort()
    .filter(isAsideName)
    .map((file) => join(folder, file));
  return paths.map((path) => ({ path, bytes: sizeOf(path) ?? 0 }));
}

export function segmentNames(home: string): SegmentName[] {
  const folder = spoolFolder(home);
  return filesOf(folder)
    .sort()
    .flatMap((file) => parseSegmentName(folder, file) ?? []);
}

/**
 * Claims, one after the other and oldest first, the orphaned segments whose target `accepts` says yes to.
 * No two processes get the same one. The caller delivers `segment.records()`, then calls `segment.finish()`;
 * when it could not, `segment.release()` gives the segment back.
 *
 * @example
 * for (const segment of claimOrphans(home, (target) => target.url === null)) {
 *   await store([...segment.records()]);
 *   segment.finish();
 * }
 */
export function* claimOrphans(home: string, accepts: (target: SegmentTarget) => boolean): Generator<SegmentFile> {
  for (const { name, isOrphan: isFree, target } of listSegments(home)) {
    if (!isFree || !target || !accepts(target)) continue;
    const segment = claimSegment(name);
    if (segment) yield segment;
  }
}

/**
 * Keeps aside orphaned segments whose header is damaged, as nobody knows whom their records are for. Those of another
 * format stay: a program of that version delivers them. Those that were never begun hold nothing, and are removed.
 */
export function setHeadlessAside(home: string): DamagedSegment[] {
  const suspects = listSegments(home).filter(({ isOrphan: isFree, target }) => isFree && !target);
  return suspects.flatMap(({ name, isBegun }) => {
    if (isBegun && !isHeadless(new SegmentFile(name))) return [];
    const segment = claimSegment(name);
    if (isBegun) return segment ? [segment.abandon()] : [];
    segment?.remove();
    return [];
  });
}

function isHeadless(segment: SegmentFile): boolean {
  try {
    const header = segment.header();
    return header !== undefined && parseHeader(header) === undefined && !isOfOtherFormat(header);
  } catch {
    // What cannot be read now may be read later, perhaps by somebody else.
    return false;
  }
}

/** Lets others have what a thread of this process left, which has ended. True when there was something. */
export function freeSegmentsOf(home: string, threadId: number): boolean {
  const owner = ownerOf(process.pid, threadId);
  const left = segmentNames(home).filter((name) => name.owner === owner);
  for (const name of left) new SegmentFile(name).release();
  return left.length > 0;
}

export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function headOf(path: string): SegmentHead {
  try {
    return readHead(path);
  } catch {
    // What cannot be read now may be read later.
    return { target: undefined, run: undefined, isBegun: true };
  }
}
