import { constants, isUtf8 } from 'node:buffer';
import { readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { FREE, ownerOf } from './owner.ts';
import { parseRecord, type SpooledRecord } from './segment-format.ts';
import { readHead, type SegmentHead } from './segment-head.ts';
import { asideName, isOrphan, type SegmentName, withOwner } from './segment-name.ts';

/** A segment this process owns and nobody appends to: read it, then `remove` it, or `release` it for others. */
export class SegmentFile {
  #name: SegmentName;
  #damagedCount = 0;

  constructor(name: SegmentName) {
    this.#name = name;
  }

  get path(): string {
    return this.#name.path;
  }

  /** Its first line; without a target when the file is gone. Throws what the system says when it cannot be read. */
  head(): SegmentHead {
    try {
      return readHead(this.#name.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { target: undefined, run: undefined, isBegun: false };
    }
  }

  /** The first line, empty where it is no text; `undefined` when there is none. */
  header(): string | undefined {
    const [header] = this.#lines();
    return header && (textOf(header) ?? '');
  }

  /** Nothing of it can be delivered: keeps it aside. At least its first line is lost, in which records may stand too. */
  abandon(): DamagedSegment {
    const count = Math.max(1, [...this.#lines()].length - 1);
    return { count, path: this.setAside(), isHeadless: true };
  }

  /**
   * The records in the order they were written; a torn last line and damaged lines are left out, the latter counted. Throws
   * what the system says when the file cannot be read, and yields nothing when it is gone.
   */
  *records(): Generator<SpooledRecord> {
    this.#damagedCount = 0;
    const lines = this.#lines();
    lines.next();
    for (const line of lines) {
      const text = textOf(line);
      const record = text === undefined ? undefined : parseRecord(text);
      if (record) yield record;
      else this.#damagedCount++;
    }
  }

  /** Lines that were no records when they were read last. A process that is killed leaves none, but a torn last line. */
  get damagedCount(): number {
    return this.#damagedCount;
  }

  /** All that can be read of it has arrived: removes it, or keeps it aside where that was not all. */
  finish(): DamagedSegment | undefined {
    if (this.#damagedCount > 0) return { count: this.#damagedCount, path: this.setAside() };
    this.remove();
    return undefined;
  }

  /** Keeps it for whoever wants to know what was in it; nobody delivers it any more. Its path from now on. */
  setAside(): string {
    const aside = asideName(this.#name);
    return renameIfThere(this.#name.path, aside) ? aside : this.#name.path;
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
  *#lines(): Generator<Buffer> {
    const bytes = readIfThere(this.#name.path);
    if (bytes === undefined) {
      this.#damagedCount = 1;
      return;
    }
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
  }
}

/** A segment of which not all could be read. */
export interface DamagedSegment {
  /** Lines that are lost; where line breaks were damaged too, several records may stand in one. */
  readonly count: number;
  readonly path: string;
  /** Is it not known whom it was for, so that nothing of it is delivered? @default false */
  readonly isHeadless?: boolean;
}

/** `undefined` where it is no text of ours: letters that were cut, or more than a text may hold. */
function textOf(line: Buffer): string | undefined {
  return isUtf8(line) && line.length <= constants.MAX_STRING_LENGTH ? line.toString('utf8') : undefined;
}

/** Makes this process the owner of an orphaned segment; `undefined` when another was faster or it is in use. */
export function claimSegment(name: SegmentName): SegmentFile | undefined {
  if (!isOrphan(name)) return undefined;
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

/** No program writes so much into one; a file that a system left at such a length is nothing to hold in memory. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;

/**
 * Throws what the system says but that there is none: what cannot be read now is not nothing. `undefined` where it is too
 * large to be a segment.
 */
function readIfThere(path: string): Buffer | undefined {
  try {
    if (statSync(path).size > MAX_READ_BYTES) return undefined;
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
