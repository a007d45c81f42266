import { setTimeout } from '../../host/timers.ts';
import { makeRoom, prepareLater } from './file-work.ts';
import { bytesSteps, type FileContent, hashSteps, KeptFile, textSteps } from './kept-file.ts';
import type { Mask } from '../mask/mask.ts';
import { type MediaType, mediaTypeOf } from '../capture/media-type.ts';
import { RecentBytes } from '../capture/recent-bytes.ts';
import { RecentTexts } from '../capture/recent-texts.ts';

/** The fate of large values, counted. */
export interface FileCounts {
  /** Files that were handed to delivery, which sends each content once. */
  readonly kept: number;
  readonly bytes: number;
  /** Values above the limit of one file, or of a burst, of which only the size or the beginning was recorded. */
  readonly tooLarge: number;
}

/** A file with the name that fits its content. */
export interface NamedFile {
  readonly file: KeptFile;
  readonly media: MediaType;
  /** Bytes of what was captured; `undefined` for a text. */
  readonly size: number | undefined;
}

/** Asked before something new is kept. */
type HasRoom = (bytes: number) => boolean;

type Write = (file: FileContent & { readonly name: string }) => void;

/** Files that are found by their digest as long as they are in memory. */
const MAX_FOUND = 1000;

/** Values seen longer ago are copied, hashed and handed over anew: their memory is free by then, they may be lost. */
const FORGET_MS = 30_000;

/** The files of one tracer. What was seen a moment ago is recognised; who takes the files sends each of them once. */
export class CapturedFiles {
  readonly #write: Write | undefined;
  readonly #recentBytes = new RecentBytes();
  readonly #recentTexts = new RecentTexts<NamedFile>();
  readonly #blobs = new WeakMap<Blob, { readonly mask: Mask; readonly reading: Promise<NamedFile | undefined> }>();
  /** Over when the Blob before is a file that is ready: one at a time is in memory. */
  #reading: Promise<unknown> = Promise.resolve();
  #isForgetting = false;
  readonly #byDigest = new Map<string, WeakRef<KeptFile>>();
  #kept = 0;
  #bytes = 0;
  #tooLarge = 0;

  /** Without `write` files have a digest and go nowhere. */
  constructor(write?: Write) {
    this.#write = write;
  }

  get counts(): FileCounts {
    return { kept: this.#kept, bytes: this.#bytes, tooLarge: this.#tooLarge };
  }

  /** Bytes that their owner may change: copied, unless they are the same as a moment ago. */
  keepBytes(bytes: Uint8Array, media: MediaType, mask: Mask | undefined, hasRoom: HasRoom): KeptFile | undefined {
    const known = this.#recentBytes.find(bytes, mask);
    if (known !== undefined) return known;
    if (!hasRoom(bytes.byteLength)) return undefined;
    const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
    copy.set(bytes);
    const file = this.#keep(copy, media, mask);
    this.#recentBytes.remember(bytes, mask, copy, file);
    this.#forgetLater();
    return file;
  }

  /**
   * The file of a text: of the text itself, or of the bytes that it is an encoding of. `find` is asked once.
   *
   * @internal
   */
  keepText(text: string, mask: Mask, find: () => FoundInText | undefined, hasRoom: HasRoom): NamedFile | undefined {
    const known = this.#recentTexts.find(text, mask);
    if (known !== undefined) return known;
    const found = find();
    if (found === undefined || !hasRoom(found.bytes?.length ?? text.length)) return undefined;
    const { media, bytes } = found;
    const file = bytes === undefined ? this.#keepWhole(text, media, mask) : this.#keep(bytes, media, mask);
    const named = { file, media, size: bytes?.length };
    this.#recentTexts.remember(text, mask, named);
    this.#forgetLater();
    return named;
  }

  /**
   * Reads a Blob in its turn, which changes nothing about it; `undefined` when its content cannot be read.
   *
   * @internal
   */
  keepBlob(blob: Blob, nameOf: (bytes: Buffer) => MediaType, mask: Mask): Promise<NamedFile | undefined> {
    const known = this.#blobs.get(blob);
    if (known?.mask === mask) return known.reading;
    const reading = this.#reading.then(() => this.#readBlob(blob, nameOf, mask));
    this.#reading = reading.then((named) => named?.file.whenReady());
    this.#blobs.set(blob, { mask, reading });
    return reading;
  }

  /** The content of a file that was handed over a moment ago. */
  find(digest: string): Uint8Array | undefined {
    return this.#byDigest.get(digest)?.deref()?.content?.bytes;
  }

  /** Is there room in memory for a file that nobody waits for? */
  makeRoom(bytes: number): boolean {
    return this.#write === undefined || makeRoom(bytes);
  }

  countTooLarge(): void {
    this.#tooLarge += 1;
  }

  async #readBlob(blob: Blob, nameOf: (bytes: Buffer) => MediaType, mask: Mask): Promise<NamedFile | undefined> {
    try {
      // Of the built-in class: what a subclass has put there is foreign code.
      const bytes = Buffer.from(await Blob.prototype.arrayBuffer.call(blob));
      const media = nameOf(bytes);
      return { file: this.#keep(bytes, media, mask), media, size: bytes.length };
    } catch {
      // A Blob of a file that has changed since.
      return undefined;
    }
  }

  #keep(bytes: Buffer, media: MediaType, mask: Mask | undefined): KeptFile {
    const steps = mask === undefined ? hashSteps(bytes) : bytesSteps(bytes, mask);
    return this.#begin(bytes.length, steps, media);
  }

  #keepWhole(text: string, media: MediaType, mask: Mask): KeptFile {
    return this.#begin(text.length, textSteps(text, mask, 'utf8'), media);
  }

  #begin(heldBytes: number, steps: Generator<void, FileContent>, { fileName: name }: MediaType): KeptFile {
    const file: KeptFile = new KeptFile(heldBytes, steps, (content) => this.#handOver(file, name, content));
    if (this.#write !== undefined) prepareLater(file);
    return file;
  }

  #handOver(file: KeptFile, name: string, content: FileContent): void {
    this.#byDigest.set(content.digest, new WeakRef(file));
    const [oldest] = this.#byDigest.keys();
    if (oldest !== undefined && this.#byDigest.size > MAX_FOUND) this.#byDigest.delete(oldest);
    this.#kept += 1;
    this.#bytes += content.bytes.length;
    this.#write?.({ name, ...content });
  }

  #forgetLater(): void {
    if (this.#isForgetting) return;
    this.#isForgetting = true;
    setTimeout(() => {
      this.#isForgetting = false;
      this.#recentBytes.clear();
      this.#recentTexts.clear();
    }, FORGET_MS).unref();
  }
}

export interface FoundInText {
  readonly media: MediaType;
  /**
   * `undefined`: it is the text itself.
   *
   * @internal
   */
  readonly bytes?: Buffer;
}

export const PLAIN_TEXT = mediaTypeOf('text/plain');
export const UNKNOWN_BYTES = mediaTypeOf('application/octet-stream');
