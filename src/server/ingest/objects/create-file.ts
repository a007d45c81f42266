import { startHash, toDigestText } from '../../../protocol/values/digest.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { FileCreateRequest } from '../../../protocol/file.ts';
import type { StoredFile } from '../../../storage/contract/files.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { Turns } from '../../http/turns.ts';
import { checkDigest } from './check-digest.ts';
import type { WriteStores } from '../write-stores.ts';

/** Stores the bytes of a file sent as base64 and returns their digest. */
export async function createFile(
  files: WriteStores['files'],
  { content, ...file }: FileCreateRequest,
  { caller, limits }: IngestContext,
): Promise<string> {
  checkProject(caller, file.project_id);
  return await storeFile(files, { ...file, bytes: decodeBase64(content) }, limits.file_json_bytes);
}

/** A file as it was sent, in whatever form. */
export interface SentFile extends Omit<StoredFile, 'digest'> {
  readonly expected_digest?: string | null | undefined;
}

/** Stores a file of limited size and returns its digest. */
export async function storeFile(
  files: WriteStores['files'],
  { project_id: projectId, name, bytes, expected_digest: expected }: SentFile,
  maxBytes: number,
): Promise<string> {
  if (bytes.length > maxBytes) {
    throw new TracingError('payload_too_large', `Cannot create the file: more than ${maxBytes} bytes`);
  }
  const digest = await digestInTurns(bytes);
  checkDigest(expected, digest);
  await files.create({ project_id: projectId, digest, name, bytes });
  return digest;
}

/** Hashing so many bytes takes a few milliseconds. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** The digest of bytes that may be a hundred megabytes; others have their turns meanwhile. */
async function digestInTurns(bytes: Uint8Array): Promise<string> {
  const hash = startHash();
  const turns = new Turns();
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (turns.isOver) await turns.next();
    hash.update(bytes.subarray(start, start + PIECE_BYTES));
  }
  return toDigestText(hash);
}

/** `Buffer.from` skips what it does not know, so the text is checked first: standard alphabet, padded, no white space. */
function decodeBase64(text: string): Buffer {
  const padding = text.indexOf('=');
  const isWellFormed =
    text.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(text) && (padding === -1 || /^={1,2}$/.test(text.slice(padding)));
  if (!isWellFormed)
    throw new TracingError('invalid_request', 'Cannot create the file: content is not standard base64');
  return Buffer.from(text, 'base64');
}
