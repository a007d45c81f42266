import { TracingError } from '../protocol/error.ts';
import type { FileCreateResponse, FilesQueryStatsResponse } from '../protocol/file.ts';
import { undefinedIfMissing } from './objects.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface NewFile {
  readonly project_id?: string;
  readonly name: string;
  /** Text is stored as UTF-8. */
  readonly bytes: Uint8Array | ArrayBuffer | Blob | string;
  /** The service refuses the file (`digest_mismatch`) when its digest is another one. */
  readonly expected_digest?: string;
}

export interface FilesApi {
  /** `/file/create`: the digest it is stored under. Above 20 MiB it is sent as a form, which may be larger. */
  create(file: NewFile, options?: RequestOptions): Promise<string>;
  /** `/file/content`: the bytes, or `undefined` when there is no such file. */
  get(digest: string, options?: RequestOptions & { readonly project_id?: string }): Promise<Uint8Array | undefined>;
  /** `/files/query_stats`. */
  stats(options?: RequestOptions & { readonly project_id?: string }): Promise<FilesQueryStatsResponse>;
}

export function createFileReader(requester: Requester, projectOf: (given: string | undefined) => string): FilesApi {
  return {
    async create(file, { signal } = {}) {
      const sent = await uploadOf(file, projectOf(file.project_id));
      const answer = await requester.sendForJson({ method: 'POST', path: '/file/create', ...sent, signal });
      return (answer as FileCreateResponse).digest;
    },
    async get(digest, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), digest };
      const accept = 'application/octet-stream';
      const sent = { method: 'POST', path: '/file/content', body, accept, signal } as const;
      return await requester.sendFor(sent, (answer) => readBytes(answer, signal)).catch(undefinedIfMissing);
    },
    async stats({ signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id) };
      const sent = { method: 'POST', path: '/files/query_stats', body, signal } as const;
      return (await requester.sendForJson(sent)) as FilesQueryStatsResponse;
    },
  };
}

/** The JSON form of an upload holds 20 MiB. */
const MAX_JSON_BYTES = 20 * 1024 * 1024;

async function uploadOf(
  { bytes, name, expected_digest: digest }: NewFile,
  projectId: string,
): Promise<{ body: object } | { form: FormData }> {
  const content = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  const size = content instanceof Blob ? content.size : content.byteLength;
  if (size > MAX_JSON_BYTES) return { form: formOf(content, projectId, name, digest) };
  const buffer = content instanceof Blob ? await content.arrayBuffer() : content;
  const base64 = toBase64(buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer));
  return {
    body: { project_id: projectId, name, content: base64, ...(digest !== undefined && { expected_digest: digest }) },
  };
}

function formOf(
  content: Blob | Uint8Array | ArrayBuffer,
  projectId: string,
  name: string,
  digest: string | undefined,
): FormData {
  const form = new FormData();
  form.set('project_id', projectId);
  if (digest !== undefined) form.set('expected_digest', digest);
  // The types of browsers know no blob of shared memory, of which the runtime makes one, too.
  const part = content as Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  form.set('file', part instanceof Blob ? part : new Blob([part]), name);
  return form;
}

async function readBytes(response: Response, signal: AbortSignal | undefined): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    signal?.throwIfAborted();
    throw new TracingError('broken_stream', 'Cannot read the file to its end: the connection broke', { cause: error });
  }
}

/** `btoa` takes text of one byte per character; arguments are spread in pieces the call stack can hold. */
function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += 0x8000) {
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
  }
  return btoa(pieces.join(''));
}
