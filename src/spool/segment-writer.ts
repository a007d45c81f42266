import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { headerLine, type SegmentTarget } from './segment-format.ts';
import { SegmentFile } from './segment-file.ts';
import { newSegmentName, type SegmentName } from './segment-name.ts';
import { ensurePrivateFolder, spoolFolder } from './state-folder.ts';

/** Appends whole lines to one new segment, synchronously, so that an `exit` handler can use it. */
export class SegmentWriter {
  readonly #file: number;
  readonly #name: SegmentName;
  #bytes = 0;
  #isOpen = true;

  /** Makes the file, for calls of one run. Throws what the system says. */
  constructor(home: string, target: SegmentTarget, run?: string) {
    ensurePrivateFolder(home);
    ensurePrivateFolder(spoolFolder(home));
    this.#name = newSegmentName(spoolFolder(home));
    this.#file = openSync(this.#name.path, 'ax', 0o600);
    this.append(Buffer.from(headerLine(target, run)));
  }

  get bytes(): number {
    return this.#bytes;
  }

  get path(): string {
    return this.#name.path;
  }

  /** False once another process took the file away, which happens when it cannot see that we live. */
  get isInPlace(): boolean {
    return fstatSync(this.#file).nlink > 0;
  }

  /** All of `lines` or nothing: what a full disk cut off in the middle is taken back. Throws what the system says. */
  append(lines: Uint8Array): void {
    try {
      for (let written = 0; written < lines.length;) written += writeSync(this.#file, lines, written);
      this.#bytes += lines.length;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }

  /** Ends writing; the segment stays ours until it is removed or released. */
  close(): SegmentFile {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
    return new SegmentFile(this.#name);
  }
}
