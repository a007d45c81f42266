import { isUtf8 } from 'node:buffer';
import { startHash, toDigestText } from '../../protocol/values/digest.ts';
import { detectMediaType } from '../capture/media-type.ts';
import type { Mask } from '../mask/mask.ts';
import { maskInPieces } from '../mask/mask-in-pieces.ts';

/** Content whose digest is known. */
export interface FileContent {
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Hashed in one step: half a millisecond, or two without the processor's help. */
const STEP_BYTES = 512 * 1024;

/**
 * A file on its way from a captured value to the service. Whoever captured it paid for a copy at most; masking and
 * hashing are done in small steps later, or at once when somebody asks for the digest.
 */
export class KeptFile {
  /** Bytes it holds in memory until it is ready. */
  readonly heldBytes: number;
  readonly #onReady: (content: FileContent) => void;
  #steps: Generator<void, FileContent> | undefined;
  #content: FileContent | undefined;
  #ready: Promise<void> | undefined;
  #setReady: (() => void) | undefined;

  constructor(heldBytes: number, steps: Generator<void, FileContent>, onReady: (content: FileContent) => void) {
    this.heldBytes = heldBytes;
    this.#steps = steps;
    this.#onReady = onReady;
  }

  /** `undefined` as long as there is work to do. */
  get content(): FileContent | undefined {
    return this.#content;
  }

  /** Resolves when there is no work left. */
  whenReady(): Promise<void> {
    if (this.#steps === undefined) return Promise.resolve();
    this.#ready ??= new Promise((resolve) => {
      this.#setReady = resolve;
    });
    return this.#ready;
  }

  get digest(): string {
    while (this.step());
    return this.#content?.digest ?? '';
  }

  /** Does a piece of the work; false when all is done. */
  step(): boolean {
    if (this.#steps === undefined) return false;
    const content = this.#next(this.#steps);
    if (content === undefined) return true;
    this.#steps = undefined;
    this.#content = content;
    this.#onReady(content);
    this.#setReady?.();
    return false;
  }

  /** A mask that throws hides the content. */
  #next(steps: Generator<void, FileContent>): FileContent | undefined {
    try {
      const { done, value } = steps.next();
      return done ? value : undefined;
    } catch {
      return contentOf(Buffer.from('[masked]'));
    }
  }
}

/**
 * Bytes that nobody else can change. Media stays as it is; whatever else may hold readable secrets is masked.
 *
 * @internal
 */
export function* bytesSteps(bytes: Buffer, mask: Mask): Generator<void, FileContent> {
  if (detectMediaType(bytes) !== undefined) return yield* hashSteps(bytes);
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return yield* textSteps(bytes.toString(encoding), mask, encoding);
}

/** `latin1` keeps every byte of a text that was made from bytes, apart from those of secrets. */
export function* textSteps(text: string, mask: Mask, encoding: 'utf8' | 'latin1'): Generator<void, FileContent> {
  const hash = startHash();
  const pieces: Buffer[] = [];
  for (const masked of maskInPieces(text, (part) => mask.text(part))) {
    const piece = Buffer.from(masked, encoding);
    hash.update(piece);
    pieces.push(piece);
    yield;
  }
  return { digest: toDigestText(hash), bytes: Buffer.concat(pieces) };
}

/**
 * Bytes as they are.
 *
 * @internal
 */
export function* hashSteps(bytes: Buffer): Generator<void, FileContent> {
  const hash = startHash();
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    hash.update(bytes.subarray(at, at + STEP_BYTES));
    yield;
  }
  return { digest: toDigestText(hash), bytes };
}

function contentOf(bytes: Buffer): FileContent {
  return { digest: toDigestText(startHash().update(bytes)), bytes };
}
