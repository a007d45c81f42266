// docs/decisions/0017-write-ahead.md says why.
import { rmSync } from 'node:fs';
import { FREE, ownerOf } from './owner.ts';
import { listDamaged, segmentNames, sizeOf } from './orphaned-segments.ts';
import { claimSegment, type SegmentFile } from './segment-file.ts';
import type { SegmentTarget } from './segment-format.ts';
import type { SegmentName } from './segment-name.ts';
import { writeRest } from './segment-rest.ts';
import { SegmentWriter } from './segment-writer.ts';
import { hasPlace } from './state-folder.ts';

const MIB = 1024 * 1024;

export interface SpoolOptions {
  /** The state folder; `undefined` makes a spool that takes nothing. */
  readonly home: string | undefined;
  /** Asked for each new segment. */
  readonly target: () => SegmentTarget;
  /** The run of what is written, as `formatRun` writes it; asked for each new segment. @default none is noted */
  readonly run?: () => string | undefined;
  /** Limit of all segments of the folder together. @default 100 MB */
  readonly budgetBytes?: number;
  /** A segment is closed when it reaches this size. @default 4 MiB, or an eighth of a small budget */
  readonly segmentBytes?: number;
  /** Something was written, so there is something to deliver. */
  readonly onWritten?: () => void;
  /** The budget removed a segment: the records of ours in it, or 0 of ours and `foreign` of an earlier process. */
  readonly onEvicted?: (lost: { readonly own: SpooledCount; readonly foreign: number }) => void;
}

export interface SpooledCount {
  readonly calls: number;
  readonly objects: number;
}

/** A closed segment written by this spool. */
export interface OwnSegment {
  readonly file: SegmentFile;
  readonly count: SpooledCount;
  /** On the clock of `performance.now()`: something in it did not get through, so it may wait until then. */
  readonly retryAt?: number;
  /** How often that has happened. @default 0 */
  readonly retries?: number;
}

export const NO_RECORDS: SpooledCount = { calls: 0, objects: 0 };

/** Records that could not be sent, on disk. Everything is synchronous, so that an `exit` handler can use it. */
export class Spool {
  readonly #options: SpoolOptions;
  /** Limit of all segments of the folder together. */
  readonly budgetBytes: number;
  readonly #segmentBytes: number;
  #writer: SegmentWriter | undefined;
  #written: SpooledCount = NO_RECORDS;
  #sealed: OwnSegment[] = [];
  /** Closed segments that somebody delivers now. */
  readonly #taken = new Set<OwnSegment>();
  #folderBytes: number | undefined;
  #lastError: Error | undefined;
  /** `undefined` while nothing was written. */
  #tookLast: boolean | undefined;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.budgetBytes = options.budgetBytes ?? 100 * 1_000_000;
    // Only closed segments can make room for newer records.
    this.#segmentBytes = options.segmentBytes ?? Math.min(4 * MIB, this.budgetBytes / 8);
  }

  /** The system's error at what was written last. None where it was the budget that did not let us. */
  get lastError(): Error | undefined {
    return this.#lastError;
  }

  /** Did it take what was written last? While nothing was: is there a folder for it? One that is missing is made. */
  get isWritable(): boolean {
    return this.#tookLast ?? (this.#options.home !== undefined && hasPlace(this.#options.home));
  }

  /** Where the last lines were written, as long as more may follow them there. */
  get segment(): string | undefined {
    return this.#writer?.path;
  }

  /** Has this process nothing on disk, neither waiting nor being delivered? */
  get isEmpty(): boolean {
    return this.#sealed.length === 0 && this.#taken.size === 0 && this.#writer === undefined;
  }

  /** May something more be written without anything being removed for it? Others may have made room meanwhile. */
  get hasRoom(): boolean {
    return (this.#folderBytes ?? 0) + this.#segmentBytes <= this.budgetBytes;
  }

  /** Closed segments that wait. */
  get sealedCount(): number {
    return this.#sealed.length;
  }

  /** Appends whole lines that hold `count` records; false when the disk or the budget does not let us. */
  append(lines: Uint8Array, count: SpooledCount): boolean {
    this.#lastError = undefined;
    try {
      this.#tookLast = this.#makeRoom(lines.length);
      if (this.#tookLast) this.#write(lines, count);
    } catch (error) {
      this.#lastError = error as Error;
      this.#tookLast = false;
    }
    return this.#tookLast;
  }

  #write(lines: Uint8Array, count: SpooledCount): void {
    this.#openWriter().append(lines);
    this.#folderBytes = (this.#folderBytes ?? 0) + lines.length;
    this.#written = sum(this.#written, count);
    this.#options.onWritten?.();
    if (this.#writer && this.#writer.bytes >= this.#segmentBytes) this.seal();
  }

  /**
   * Writes lines into a segment of their own, now the caller's like one that `take` answers: what they hold may be known to
   * have arrived before the rest. `undefined` when the disk or the budget does not let us.
   */
  keep(lines: Uint8Array, count: SpooledCount): OwnSegment | undefined {
    this.seal();
    if (!this.append(lines, count)) return undefined;
    this.seal();
    const segment = this.#sealed.pop();
    if (segment) this.#taken.add(segment);
    return segment;
  }

  /** Closes the segment being written, so that `take` finds it. */
  seal(): void {
    if (!this.#writer) return;
    this.#sealed.push({ file: this.#writer.close(), count: this.#written });
    this.#writer = undefined;
    this.#written = NO_RECORDS;
  }

  /** The next closed segment, now the caller's, who says `putBack` or `remove`. */
  take(): OwnSegment | undefined {
    const segment = this.#sealed.shift();
    if (segment) this.#taken.add(segment);
    return segment;
  }

  /** Last in line, so that it holds back no other. `retryAt`: when it makes sense to take it again. */
  putBack(segment: OwnSegment, retry: Pick<OwnSegment, 'retryAt' | 'retries'> = {}): void {
    if (!this.#taken.delete(segment)) return;
    const { file, count } = segment;
    this.#sealed.push({ file, count, ...retry });
  }

  /**
   * All else of it has arrived: these lines are in a segment of their own, the caller's like the old one, which he removes.
   * Whatever the budget is, as they take less room then. `undefined` when the disk does not let us.
   */
  divide(segment: OwnSegment, lines: Uint8Array, count: SpooledCount): OwnSegment | undefined {
    const { home } = this.#options;
    if (home === undefined || !this.#taken.has(segment)) return undefined;
    try {
      const rest = { file: writeRest(home, segment.file, lines), count };
      if (this.#folderBytes !== undefined) this.#folderBytes += sizeOf(rest.file.path) ?? 0;
      this.#taken.add(rest);
      return rest;
    } catch {
      return undefined;
    }
  }

  /** All of it has arrived. False when it was recalled meanwhile: then it is not the caller's any more. */
  remove(segment: OwnSegment): boolean {
    if (!this.#taken.has(segment)) return false;
    if (this.#folderBytes !== undefined) this.#folderBytes -= sizeOf(segment.file.path) ?? 0;
    // While the file is there it is ours to deliver.
    segment.file.remove();
    return this.#taken.delete(segment);
  }

  /** The same of one that was damaged: what could be read of it has arrived. It takes its room on. */
  setAside(segment: OwnSegment): boolean {
    if (!this.#taken.has(segment)) return false;
    segment.file.setAside();
    return this.#taken.delete(segment);
  }

  /** Takes back what is being delivered, for somebody who cannot wait for that. */
  recall(): void {
    for (const segment of this.#taken) this.putBack(segment);
  }

  /** Lets other processes have what is left. Idempotent; a later `append` begins anew. */
  release(): void {
    this.seal();
    this.recall();
    for (const { file } of this.#sealed) file.release();
    this.#sealed = [];
  }

  #openWriter(): SegmentWriter {
    if (this.#writer && !this.#writer.isInPlace) this.seal();
    if (this.#options.home === undefined) throw new Error('There is no home folder and SPOOR_HOME is not set');
    this.#writer ??= new SegmentWriter(this.#options.home, this.#options.target(), this.#options.run?.());
    return this.#writer;
  }

  /** Others use the folder too, so it is measured again before anything is removed. */
  #makeRoom(bytes: number): boolean {
    if (bytes > this.budgetBytes) return false;
    if (this.#folderBytes !== undefined && this.#folderBytes + bytes <= this.budgetBytes) return true;
    const names = this.#options.home === undefined ? [] : segmentNames(this.#options.home);
    this.#folderBytes = names.reduce((total, { path }) => total + (sizeOf(path) ?? 0), 0);
    this.#folderBytes += this.#keepDamaged(this.budgetBytes - this.#folderBytes - bytes);
    for (const name of names) {
      if (this.#folderBytes + bytes <= this.budgetBytes) return true;
      this.#folderBytes -= this.#evict(name);
    }
    return this.#folderBytes + bytes <= this.budgetBytes;
  }

  /** Damaged segments have been told, so they go before anything that can be delivered. Bytes that stay. */
  #keepDamaged(roomBytes: number): number {
    const files = this.#options.home === undefined ? [] : listDamaged(this.#options.home);
    let total = files.reduce((all, { bytes }) => all + bytes, 0);
    for (const { path, bytes } of files) {
      if (total <= roomBytes) return total;
      rmSync(path, { force: true });
      total -= bytes;
    }
    return total;
  }

  /** Bytes freed: 0 for a segment that a living process writes or delivers, this one included. */
  #evict(name: SegmentName): number {
    const bytes = sizeOf(name.path) ?? 0;
    const own = this.#sealed.findIndex(({ file }) => file.path === name.path);
    const lost = own === -1 ? this.#claimForeign(name) : this.#sealed.splice(own, 1)[0];
    if (!lost) return 0;
    const foreign = own === -1 ? countIn(lost.file) : 0;
    lost.file.remove();
    this.#options.onEvicted?.({ own: lost.count, foreign });
    return bytes;
  }

  #claimForeign(name: SegmentName): OwnSegment | undefined {
    if (name.owner !== FREE && name.owner === ownerOf()) return undefined;
    const file = claimSegment(name);
    return file && { file, count: NO_RECORDS };
  }
}

/** 0 where it cannot be read: it was somebody else's, who may have had rights that we have not. */
function countIn(file: SegmentFile): number {
  try {
    return [...file.records()].length;
  } catch {
    return 0;
  }
}

function sum(one: SpooledCount, other: SpooledCount): SpooledCount {
  return { calls: one.calls + other.calls, objects: one.objects + other.objects };
}
