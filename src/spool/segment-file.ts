import { readFileSync, renameSync, rmSync } from 'node:fs';
import { FREE, ownerOf } from './owner.ts';
import { parseHeader, parseRecord, type SegmentTarget, type SpooledRecord } from './segment-format.ts';
import { isLeftOver, type SegmentName, withOwner } from './segment-name.ts';

/** A segment this process owns and nobody appends to: read it, then `remove` it, or `release` it for others. */
export class SegmentFile {
  #name: SegmentName;

  constructor(name: SegmentName) {
    this.#name = name;
  }

  get path(): string {
    return this.#name.path;
  }

  /** `undefined` when the file is gone or not a segment of a format we know. */
  target(): SegmentTarget | undefined {
    const [header] = this.#lines();
    return header === undefined ? undefined : parseHeader(header);
  }

  /**
   * The records in the order they were written; a torn last line and damaged lines are left out. Throws what the system
   * says when the file cannot be read, and yields nothing when it is gone.
   */
  *records(): Generator<SpooledRecord> {
    const lines = this.#lines();
    lines.next();
    for (const line of lines) {
      const record = parseRecord(line);
      if (record) yield record;
    }
  }

  /** Everything in it has arrived. */
  remove(): void {
    rmSync(this.#name.path, { force: true });
  }

  /** Any process may take it from now on. */
  release(): void {
    const free = withOwner(this.#name, FREE);
    if (renameIfThere(this.#name.path, free.path)) this.#name = free;
  }

  /** Whole lines only. A segment is a few megabytes, so it is read at once; lines are made one by one. */
  *#lines(): Generator<string> {
    const bytes = readIfThere(this.#name.path);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
  }
}

/** Makes this process the owner of a left-over segment; `undefined` when another was faster or it is in use. */
export function claimSegment(name: SegmentName): SegmentFile | undefined {
  if (!isLeftOver(name)) return undefined;
  const mine = withOwner(name, ownerOf());
  return renameIfThere(name.path, mine.path) ? new SegmentFile(mine) : undefined;
}

function renameIfThere(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Throws what the system says but that there is none: what cannot be read now is not nothing. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
