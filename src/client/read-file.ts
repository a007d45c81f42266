import type { FoundService } from './discovery.ts';
import { TracingError } from '../protocol/error.ts';

/** Reads the content of a file from the service. Rejects with a `TracingError`. */
export async function readFile(
  service: FoundService | undefined,
  projectId: string,
  name: string,
  digest: string,
): Promise<Uint8Array> {
  if (service?.apiKey === undefined)
    throw new TracingError('unavailable', `Cannot read the file "${name}": no service with a key is known`);
  const { createReader } = await import('../reader/create-reader.ts');
  const reader = createReader({ ...service, apiKey: service.apiKey, project: projectId });
  const bytes = await reader.files.get(digest).catch((error: unknown) => {
    throw toUserError(name, error);
  });
  if (bytes === undefined) throw new TracingError('not_found', `Cannot read the file "${name}": it does not exist`);
  return bytes;
}

/** To somebody who reads it is one whether the service is unknown or away. */
function toUserError(name: string, error: unknown): unknown {
  const isAway = error instanceof TracingError && error.code === 'network_error';
  return isAway
    ? new TracingError('unavailable', `Cannot read the file "${name}": ${error.message}`, { cause: error })
    : error;
}
