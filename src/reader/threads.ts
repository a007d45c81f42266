import type { Thread, ThreadsStreamQueryRequest } from '../protocol/thread.ts';
import type { InProject } from './calls.ts';
import { readJsonLines } from './json-lines.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface ThreadsApi {
  /** `/threads/stream_query`: threads as they arrive. A stream that breaks throws `broken_stream` instead of ending. */
  query(request?: InProject<ThreadsStreamQueryRequest>, options?: RequestOptions): AsyncGenerator<Thread, void>;
}

export function createThreadReader(requester: Requester, projectOf: (given: string | undefined) => string): ThreadsApi {
  return {
    async *query(request = {}, { signal } = {}) {
      const response = await requester.send({
        method: 'POST',
        path: '/threads/stream_query',
        isRead: true,
        body: { ...request, project_id: projectOf(request.project_id) },
        accept: 'application/jsonl',
        signal,
      });
      // The service makes the lines, so a line is a thread.
      yield* readJsonLines(response, { signal, json: requester.json }) as AsyncGenerator<Thread, void>;
    },
  };
}
