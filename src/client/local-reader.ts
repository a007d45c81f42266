import { createReader as createReaderOf, type Reader, type ReaderOptions } from '../reader/reader.ts';
import { readConfig } from './config.ts';
import { findService } from './discovery.ts';

export * from '../reader/reader.ts';

/**
 * Reads from, and administers, a service over HTTP. What the options leave out is found as `init()` finds it: the service
 * of `SPOOR_URL`, else the one that runs for the state folder, with its key; the project of `SPOOR_PROJECT`, else that of
 * this folder. Throws a `TypeError` for an empty `url`, and an `Error` where there is no service.
 *
 * @example
 * const reader = createReader();
 * for await (const call of reader.calls.query({ filter: { trace_roots_only: true }, limit: 20 })) {
 *   console.log(call.op_name, call.summary);
 * }
 */
export function createReader(options: ReaderOptions = {}): Reader {
  if (options.url === '') return createReaderOf(options);
  const { url, apiKey, project } = options;
  const config = readConfig({ ...(url && { url }), ...(apiKey && { apiKey }), ...(project && { project }) });
  const service = findService(config);
  if (service === undefined) {
    throw new Error('No service is running here: start one with "npx spoor", or name one with url or SPOOR_URL');
  }
  return createReaderOf({
    ...(service.fetch && { fetch: service.fetch }),
    ...options,
    url: service.url,
    project: config.project,
    ...(service.apiKey !== undefined && { apiKey: service.apiKey }),
  });
}
