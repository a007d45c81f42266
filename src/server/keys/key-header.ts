import type { FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../protocol/endpoints.ts';

const KEY_HEADER = 'svc-api-key';

/**
 * A request's `Authorization`. Exporters of OpenTelemetry may send a key in a header of its own instead: in
 * a dialect under either name, natively where the operator allows it.
 */
export function credentialsOf(
  { headers, routeOptions, dialect }: FastifyRequest,
  isAllowed: boolean,
): string | undefined {
  if (headers.authorization !== undefined || routeOptions.url !== ENDPOINTS.otelExportTraces.path) {
    return headers.authorization;
  }
  if (dialect === undefined && !isAllowed) return undefined;
  const inDialect = dialect?.headers[KEY_HEADER];
  const key = headers[KEY_HEADER] ?? (inDialect === undefined ? undefined : headers[inDialect]);
  return typeof key === 'string' ? `Bearer ${key}` : undefined;
}
