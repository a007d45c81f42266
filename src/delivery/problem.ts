import type { DamagedSegment } from '../spool/segment-file.ts';

/** Kinds of trouble on the way to the service. Each is reported once per interval, with a count. */
export type ProblemKind =
  | 'key-refused'
  | 'wrong-address'
  | 'unreachable'
  | 'blocked'
  | 'record-refused'
  | 'object-refused'
  | 'unencodable'
  | 'queue-full'
  | 'spool-full'
  | 'spool-damaged'
  | 'spool-unreadable'
  | 'spool-unwritable'
  | 'internal';

/** `count`: how many records it concerns. */
export type Report = (kind: ProblemKind, message: string, details?: { count?: number; cause?: unknown }) => void;

/** Of a segment that an ended program left. */
export function damagedMessage({ path, isHeadless = false }: DamagedSegment): string {
  if (isHeadless) {
    return `Records of an ended program were lost: the first line of their file was damaged, which says whom they are for. It is kept as "${path}"`;
  }
  return `Records of an ended program were lost: their file was damaged. The others are delivered, and it is kept as "${path}"`;
}

/** `cause`: what the system says; without it the folder has no room. */
export function reportUnwritable(report: Report, cause: Error | undefined): void {
  const reason = cause?.message ?? 'the state folder is full';
  report('spool-unwritable', `Cannot keep records on disk: ${reason}`, { cause });
}
