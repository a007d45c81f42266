import type { SegmentFile } from './segment-file.ts';
import { SegmentWriter } from './segment-writer.ts';

/**
 * Writes lines of a segment into a segment of their own, which is this process's: all else of it has arrived. Until the
 * caller removes the old one both have them, so that nothing is lost to who ends between. Throws what the system says.
 */
export function writeRest(home: string, segment: SegmentFile, lines: Uint8Array): SegmentFile {
  const { target, run } = segment.head();
  if (!target) throw new Error('The segment is gone');
  const writer = new SegmentWriter(home, target, run);
  try {
    writer.append(lines);
  } catch (error) {
    writer.close().remove();
    throw error;
  }
  return writer.close();
}
