import { TracingError } from '../protocol/error.ts';
import type { FileCreateResponse, FilesQueryStatsResponse } from '../protocol/file.ts';
import { undefinedIfMissing } from './objects.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface NewFile {
  readonly project_id?: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The service refuses the file (`digest_mismatch`) when its digest is another one. */
  readonly expected_digest?: string;
}

export interface FilesApi {
  /** `/file/create`: the digest it is stored under. */
  create(file: NewFile, options?: RequestOptions): Promise<string>;
  /** `/file/content`: the bytes, or `undefined` when there is no such file. */
  get(digest: string, options?: RequestOptions & { readonly project_id?: string }): Promise<Uint8Array | undefined>;
  /** `/files/query_stats`. */
  stats(options?: RequestOptions & { readonly project_id?: string }): Promise<FilesQueryStatsResponse>;
}

export function createFileReader(requester: Requester, projectOf: (given: string | undefined) => string): FilesApi {
  return {
    async create({ bytes, ...file }, { signal } = {}) {
      const body = { ...file, project_id: projectOf(file.project_id), content: toBase64(bytes) };
      const answer = await requester.sendForJson({ method: 'POST', path: '/file/create', body, signal, isRead: false });
      return (answer as FileCreateResponse).digest;
    },
    async get(digest, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), digest };
      const accept = 'application/octet-stream';
      const response = await requester
        .send({ method: 'POST', path: '/file/content', body, accept, signal, isRead: true })
        .catch(undefinedIfMissing);
      return response && readBytes(response, signal);
    },
    async stats({ signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id) };
      const sent = { method: 'POST', path: '/files/query_stats', body, signal, isRead: true } as const;
      return (await requester.sendForJson(sent)) as FilesQueryStatsResponse;
    },
  };
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
