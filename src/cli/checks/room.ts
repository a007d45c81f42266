import { listDamaged, listSegments, type SegmentInfo } from '../../spool/orphaned-segments.ts';
import { formatBytes, formatDuration } from '../output/numbers.ts';
import type { Finding } from './finding.ts';
import { describeDisk, type FreeRoom, freeRoomBeside } from './free-room.ts';

/** From this share of its limit on, records are about to be lost. */
const NEARLY_FULL = 0.8;

export interface RoomOptions {
  /** Limit of all records on disk together. */
  readonly limitBytes: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** @default as the system tells */
  readonly freeRoom?: (path: string) => FreeRoom | undefined;
}

/** How much waits on disk, of running programs and of ended ones, and how much more can. */
export function checkRoom(home: string, { limitBytes, now, freeRoom = freeRoomBeside }: RoomOptions): Finding[] {
  const segments = listSegments(home);
  const bytes = [...segments, ...listDamaged(home)].reduce((sum, file) => sum + file.bytes, 0);
  return [
    checkSize(segments, { bytes, limitBytes, now }),
    ...checkDisk(freeRoom(home), Math.max(0, limitBytes - bytes)),
  ];
}

interface Size {
  readonly bytes: number;
  readonly limitBytes: number;
  readonly now: number;
}

function checkSize(segments: readonly SegmentInfo[], { bytes, limitBytes, now }: Size): Finding {
  const size = `${formatBytes(bytes)} of ${formatBytes(limitBytes)}`;
  const [oldest] = segments;
  if (oldest === undefined) return { level: 'ok', about: 'spool', message: `${size}, no records` };
  const age = formatDuration(Math.max(0, now - begunAt(oldest)) * 1000);
  const message = `${size}: ${ownersOf(segments)}; the oldest began ${age} ago`;
  if (bytes < NEARLY_FULL * limitBytes) return { level: 'ok', about: 'spool', message };
  const advice = 'Start the service, or raise SPOOR_SPOOL_BYTES: beyond the limit the oldest records are removed';
  return { level: 'warning', about: 'spool', message, advice };
}

/** Segments that ended programs gave up no longer say whose they were. */
function ownersOf(segments: readonly SegmentInfo[]): string {
  const living = segments.filter(({ isOrphan }) => !isOrphan);
  const programs = new Set(living.map(({ name }) => name.owner)).size;
  const ended = segments.length - living.length;
  return [
    ...(programs === 0
      ? []
      : [`${segmentsIn(living.length)} of ${programs} running program${programs === 1 ? '' : 's'}`]),
    ...(ended === 0 ? [] : [`${segmentsIn(ended)} of ended ones`]),
  ].join(', ');
}

function segmentsIn(count: number): string {
  return count === 1 ? '1 segment' : `${count} segments`;
}

/** Names of segments begin with the milliseconds when they were made. */
function begunAt({ name }: SegmentInfo): number {
  return Number.parseInt(name.stem, 10);
}

/** With less not even the first records of a program can wait. */
const LEAST_BYTES = 64 * 1024;

function checkDisk(room: FreeRoom | undefined, wantedBytes: number): Finding[] {
  const about = 'disk';
  if (room === undefined) return [];
  if (wantedBytes > 0 && (room.bytes < LEAST_BYTES || room.files === 0)) {
    const message = `${describeDisk(room)} is full: no record can wait there`;
    return [{ level: 'problem', about, message, advice: 'Make room, or set SPOOR_HOME to a folder of another disk' }];
  }
  if (room.bytes >= wantedBytes) return [{ level: 'ok', about, message: 'has room for all records that may wait' }];
  const message = `${formatBytes(room.bytes)} are free, and ${formatBytes(wantedBytes)} more records may wait`;
  const advice = 'Make room, set SPOOR_HOME to a folder of another disk, or lower SPOOR_SPOOL_BYTES';
  return [{ level: 'warning', about, message, advice }];
}
