import { digestBytes } from '../../protocol/digest.ts';
import { TracingError } from '../../protocol/error.ts';
import type { FileCreateRequest } from '../../protocol/file.ts';
import type { FileStore } from '../../storage/storage.ts';
import { checkProject } from '../authenticate.ts';
import type { IngestContext } from './call-facts.ts';
import { checkDigest } from './check-digest.ts';

/** Stores the bytes of a file sent as base64 and returns their digest. */
export async function createFile(
  files: FileStore,
  request: FileCreateRequest,
  { caller, limits }: IngestContext,
): Promise<string> {
  checkProject(caller, request.project_id);
  const bytes = decodeBase64(request.content);
  if (bytes.length > limits.file_json_bytes) {
    throw new TracingError('payload_too_large', `Cannot create the file: more than ${limits.file_json_bytes} bytes`);
  }
  const digest = digestBytes(bytes);
  checkDigest(request.expected_digest, digest);
  await files.create({ project_id: request.project_id, digest, name: request.name, bytes });
  return digest;
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
