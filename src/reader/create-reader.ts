import { createCallReader, type CallsApi } from './calls.ts';
import { createCostReader, type CostsApi } from './costs.ts';
import { createFeedbackReader, type FeedbackApi } from './feedback.ts';
import { createFileReader, type FilesApi } from './files.ts';
import { createObjectReader, type ObjectsApi } from './objects.ts';
import { createOtelReader, type OtelApi } from './otel.ts';
import { createRequester, type JsonCodec } from './request.ts';
import { createPageReader, type PageApi } from './page.ts';
import { createRefReader, type RefsApi } from './refs.ts';
import { createServiceReader, type ServiceApi } from './service-info.ts';
import { createTableReader, type TablesApi } from './tables.ts';
import { createThreadReader, type ThreadsApi } from './threads.ts';

export interface ReaderOptions {
  /** Base address of the service; it may have a path part. In Node a service that runs there is found without it. */
  readonly url?: string;
  /** Absent in a page of the service: the session that its browser has says who asks. */
  readonly apiKey?: string;
  /** Project `<entity>/<project>` of requests that name none. */
  readonly project?: string;
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch;
  /**
   * Reads and writes the JSON of requests and answers. The native functions read `1.0` as 1 and round integers beyond
   * 2^53; a codec that keeps such numbers gets them as the service stores them.
   * @default JSON
   */
  readonly json?: JsonCodec;
  /** How often a request is sent again after a network error, 408, 429 or 5xx. @default 3 */
  readonly retries?: number;
  /** Upper bound of the first pause between two attempts, in milliseconds; each further one doubles. @default 250 */
  readonly retryDelayMs?: number;
}

/**
 * Typed access to every endpoint of the service. Failures are `TracingError`s with the code of the service and, in
 * `extra`, the other keys of its answer. Requests are repeated when that can help, writes too: the service carries
 * each out once.
 */
export interface Reader {
  readonly calls: CallsApi;
  readonly objects: ObjectsApi;
  readonly files: FilesApi;
  readonly costs: CostsApi;
  readonly feedback: FeedbackApi;
  readonly tables: TablesApi;
  readonly otel: OtelApi;
  readonly refs: RefsApi;
  readonly service: ServiceApi;
  readonly threads: ThreadsApi;
  /** Reads made for pages and command lines. */
  readonly page: PageApi;
}

/**
 * Reads from, and administers, a service over HTTP. It uses nothing but `fetch`, so it runs in browsers too.
 *
 * @example
 * const reader = createReader({ url: 'http://127.0.0.1:7717', apiKey, project: 'local/my-app' });
 * for await (const call of reader.calls.query({ filter: { trace_roots_only: true }, limit: 20 })) {
 *   console.log(call.op_name, call.summary);
 * }
 */
export function createReader(options: ReaderOptions = {}): Reader {
  const { url } = options;
  if (!url) throw new TypeError('Cannot make a reader: url has to be the address of a service, and is empty');
  const requester = createRequester({ ...options, url });
  const projectOf = (given: string | undefined) => {
    const project = given ?? options.project;
    if (project === undefined)
      throw new TypeError('Cannot send the request: neither it nor the reader names a project');
    return project;
  };
  return {
    calls: createCallReader(requester, projectOf),
    objects: createObjectReader(requester, projectOf),
    files: createFileReader(requester, projectOf),
    costs: createCostReader(requester, projectOf),
    feedback: createFeedbackReader(requester, projectOf),
    tables: createTableReader(requester, projectOf),
    otel: createOtelReader(requester, options.project),
    refs: createRefReader(requester),
    service: createServiceReader(requester),
    threads: createThreadReader(requester, projectOf),
    page: createPageReader(requester, projectOf),
  };
}
