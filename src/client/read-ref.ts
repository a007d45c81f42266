import type { TransportTarget } from '../delivery/transport.ts';
import { TracingError } from '../protocol/error.ts';
import { parseRef, type RefParts, type RefStep } from '../protocol/ref.ts';
import type { Reader } from '../reader/reader.ts';

/** The value behind a reference, read from the service. Rejects with a `TracingError`. */
export async function readRef(ref: string, service: TransportTarget | undefined): Promise<unknown> {
  const parts = parseRef(ref);
  if (service?.apiKey === undefined)
    throw new TracingError('unavailable', `Cannot read "${ref}": no service with a key is known`);
  const { createReader } = await import('../reader/reader.ts');
  const project = `${parts.entity}/${parts.project}`;
  const reader = createReader({ url: service.url, apiKey: service.apiKey, project });
  return follow(await readTarget(reader, parts, ref), parts.extra, ref);
}

async function readTarget(reader: Reader, parts: RefParts, ref: string): Promise<unknown> {
  if (parts.kind === 'table') throw new TracingError('unavailable', `Cannot read "${ref}": tables are not served yet`);
  const found =
    parts.kind === 'call' ? await reader.calls.get(parts.id) : await reader.objects.get(parts.name, parts.version);
  if (!found) throw new TracingError('not_found', `Cannot read "${ref}": it does not exist`);
  return 'val' in found ? found.val : found;
}

/** Goes down the steps after the version: keys of objects and positions of arrays. */
function follow(value: unknown, steps: readonly RefStep[], ref: string): unknown {
  let here = value;
  for (const { value: step } of steps) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step))
      throw new TracingError('not_found', `Cannot read "${ref}": there is nothing at "${step}"`);
    here = (here as Record<string, unknown>)[step];
  }
  return here;
}
