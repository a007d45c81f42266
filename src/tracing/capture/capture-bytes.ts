import { isUtf8 } from 'node:buffer';
import { wellFormedText } from '../../host/well-formed.ts';
import { type NamedFile, PLAIN_TEXT, UNKNOWN_BYTES } from '../record/captured-files.ts';
import type { KeptFile } from '../record/kept-file.ts';
import { decodeMediaText, looksEncoded } from './media-text.ts';
import { detectMediaType, type MediaType, mediaTypeOf } from './media-type.ts';
import { reportProblem } from '../record/tracer.ts';
import { maskedHead, visitText, visitWholeText, type Walk } from './walk.ts';

/** Fewer bytes are no document: they are keys, hashes and nonces, of which the size tells enough. */
const MIN_FILE_BYTES = 1024;

/** Shorter texts stay where they are, whatever they are an encoding of. */
export const MIN_MEDIA_TEXT = 4096;

/** Files up to this size are masked and hashed within a few milliseconds. */
const MAX_HASTY_BYTES = 256 * 1024;

/** Of bytes that are a text, this many are shown beside the file. */
const SHOWN_BYTES = 2048;

/** Estimated JSON bytes of a marker without what it shows. */
const MARKER_BYTES = 260;

/** A copy of the bytes goes into a file, and a marker stands in their place. */
export function captureBytes(walk: Walk, bytes: Uint8Array, className: string): unknown {
  const tag = `[${className}: ${bytes.byteLength} bytes]`;
  const { files, mask } = walk;
  if (files === undefined || !fits(walk, bytes.byteLength, className)) return visitText(walk, tag);
  const media = mediaOf(bytes, undefined);
  const file = files.keepBytes(bytes, media, mask, (size) => canKeep(walk, size, className));
  if (file === undefined) return visitText(walk, tag);
  waitFor(walk, file);
  const marker = markerOf(walk, media, file, { size: bytes.byteLength, _class: className });
  if (media === PLAIN_TEXT) marker['preview'] = shownText(walk, bytes);
  return marker;
}

/** Many numbers: the first of them are shown, all of them are in the file, as they lay in memory. */
export function captureNumbers(walk: Walk, bytes: Uint8Array, className: string, shown: unknown): unknown {
  const file = walk.files?.keepBytes(bytes, UNKNOWN_BYTES, undefined, (size) => canKeep(walk, size, className));
  if (file === undefined) return shown;
  waitFor(walk, file);
  return markerOf(walk, UNKNOWN_BYTES, file, { size: bytes.byteLength, _class: className, preview: shown });
}

/** A text that is an encoded image or the like, or one too long to stand inline. */
export function captureLongText(walk: Walk, text: string): unknown {
  const { files, mask, limits } = walk;
  const isTooLong = text.length > limits.maxStringLength;
  if (files === undefined || !(isTooLong || looksEncoded(text)) || !fits(walk, bytesOf(walk, text), 'text')) {
    return visitWholeText(walk, text);
  }
  const found = files.keepText(
    text,
    mask,
    () => decodeMediaText(text) ?? (isTooLong ? { media: PLAIN_TEXT } : undefined),
    (size) => canKeep(walk, size, 'text'),
  );
  if (found === undefined) return visitText(walk, text);
  const { media, file, size } = found;
  waitFor(walk, file);
  if (size !== undefined) return markerOf(walk, media, file, { size, encoding: 'base64' });
  const marker = markerOf(walk, media, file, { characters: text.length });
  marker['preview'] = showText(walk, text, limits.maxStringLength);
  return marker;
}

/**
 * A Blob tells its content only later. The record waits for that where it can; inside of published values, which
 * have their digest at once, a Blob is its size.
 */
export function captureBlob(walk: Walk, value: object, size: number, className: string): unknown {
  const tag = `[${className}: ${size} bytes]`;
  const { files, mask } = walk;
  if (files === undefined || !canWait(walk) || !(value instanceof Blob) || !fits(walk, size, className)) {
    return visitText(walk, tag);
  }
  const told = /^[a-z]+\/[\w.+-]{1,80}/i.exec(value.type)?.[0].toLowerCase();
  const marker = markerOf(walk, told === undefined ? UNKNOWN_BYTES : mediaTypeOf(told), undefined, {
    size,
    _class: className,
  });
  if (value instanceof File) marker['name'] = visitText(walk, value.name);
  const read = fillIn(
    walk,
    marker,
    files.keepBlob(value, (bytes) => mediaOf(bytes, told), mask),
  );
  holdFor(walk, read);
  return marker;
}

async function fillIn(walk: Walk, marker: object, reading: Promise<NamedFile | undefined>): Promise<void> {
  const named = await reading;
  await named?.file.whenReady();
  if (named !== undefined) Object.assign(marker, markerOf(walk, named.media, named.file, {}));
}

/**
 * Making the JSON text of a record asks for digests. Those of large files are made in small steps before, and the record
 * waits for that, so that the event loop does not.
 */
function waitFor(walk: Walk, file: KeptFile): void {
  if (file.heldBytes > MAX_HASTY_BYTES && file.content === undefined && canWait(walk)) holdFor(walk, file.whenReady());
}

function holdFor(walk: Walk, reading: Promise<unknown>): void {
  walk.reading = walk.reading === undefined ? reading : Promise.all([walk.reading, reading]);
}

/** Starts and ends of calls can be written a moment later. */
function canWait({ field }: Walk): boolean {
  return field === 'inputs' || field === 'output';
}

function fits({ files, limits }: Walk, size: number, what: string): boolean {
  if (size <= limits.maxFileBytes) return size > MIN_FILE_BYTES;
  if (limits.maxFileBytes > 0) {
    files?.countTooLarge();
    const why = `it has ${size} bytes, and the limit "maxFileBytes" is ${limits.maxFileBytes}`;
    reportProblem('file_too_large', `Cannot record the content of a ${what}`, why);
  }
  return false;
}

/** Published values have their digest at once; whatever else would make the caller wait is left out. */
function canKeep(walk: Walk, size: number, what: string): boolean {
  if (walk.files === undefined || !canWait(walk) || walk.files.makeRoom(size)) return true;
  walk.files.countTooLarge();
  reportProblem('file_burst', `Cannot record the content of a ${what}`, 'too many large values came at once');
  return false;
}

/** Counting the bytes of a text takes time, and few texts are so long that it matters. */
function bytesOf({ limits }: Walk, text: string): number {
  return 3 * text.length <= limits.maxFileBytes ? text.length : Buffer.byteLength(text);
}

function mediaOf(bytes: Uint8Array, told: string | undefined): MediaType {
  const detected = detectMediaType(bytes) ?? told;
  if (detected !== undefined) return mediaTypeOf(detected);
  return isUtf8(bytes) && !bytes.includes(0) ? PLAIN_TEXT : UNKNOWN_BYTES;
}

function markerOf(
  walk: Walk,
  { typeName, fileName, mediaType }: MediaType,
  file: KeptFile | undefined,
  facts: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  walk.bytes += MARKER_BYTES;
  return {
    _type: 'CustomType',
    svc_type: { type: typeName },
    files: file === undefined ? {} : lazyFiles(fileName, file),
    load_op: 'NO_LOAD_OP',
    media_type: mediaType,
    ...facts,
  };
}

/** The digest is asked for when the JSON text is made, and by then it is there. */
function lazyFiles(name: string, file: KeptFile): object {
  return Object.defineProperty({}, name, { enumerable: true, configurable: true, get: () => file.digest });
}

function shownText(walk: Walk, bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2 * SHOWN_BYTES));
  return showText(walk, head.toString('utf8'), SHOWN_BYTES);
}

function showText(walk: Walk, text: string, length: number): string {
  const room = Math.min(length, Math.max(0, walk.limits.maxFieldBytes - walk.bytes));
  const shown = wellFormedText(maskedHead(walk, text, room));
  walk.bytes += shown.length + 14;
  return shown;
}
