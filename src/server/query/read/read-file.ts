import { TracingError } from '../../../protocol/error.ts';
import type { FileContentRequest } from '../../../protocol/file.ts';
import type { FileStore } from '../../../storage/contract/files.ts';
import { type Caller, checkProject } from '../../keys/authenticate.ts';

/** The bytes of a file. */
export async function readFile(files: FileStore, request: FileContentRequest, caller: Caller): Promise<Buffer> {
  checkProject(caller, request.project_id);
  const file = await files.get(request.project_id, request.digest);
  if (!file) throw new TracingError('not_found', `Cannot read file "${request.digest.slice(0, 200)}": no such file`);
  return Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
}
