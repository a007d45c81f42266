import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DIALECT_NAMES } from '../../protocol/spelling/dialect.ts';
import { TracingError } from '../../protocol/error.ts';
import {
  INTERFACE_VERSION,
  MIN_CLIENT_VERSION,
  MIN_SCRIPT_CLIENT_VERSION,
  PACKAGE_VERSION,
} from '../../protocol/version.ts';
import { clientAddress } from '../http/client-address.ts';
import { toTracingError } from '../http/error-response.ts';
import type { RateLimiter } from '../keys/rate-limiter.ts';
import { validationError } from '../http/body/request-schema.ts';
import type { Services } from '../services.ts';
import { get } from './route.ts';

/** Facts that the service tells about itself. */
export function registerServiceRoutes(app: FastifyInstance, { storage, limits, rates }: Services): void {
  get(app, 'health', async () => {
    await storage.checkHealth().catch(refuseHealth);
    return { status: 'ok' };
  });

  get(app, 'version', async () => ({ version: PACKAGE_VERSION, interface: INTERFACE_VERSION }));

  // Nothing here knows where an address lies.
  get(app, 'geolocate', async (request) => ({ ip: addressOf(request), location: null, allowed: true }));

  get(app, 'serverInfo', async () => ({
    min_required_svc_python_version: MIN_SCRIPT_CLIENT_VERSION,
    trace_server_version: PACKAGE_VERSION,
    min_required_svc_client_version: MIN_CLIENT_VERSION,
    dialects: DIALECT_NAMES,
    limits: { ...limits, ...rateLimits(rates) },
  }));
}

/** Nothing where there is no limit. */
function rateLimits(rates: RateLimiter | undefined): Readonly<Record<string, number>> {
  if (rates === undefined) return {};
  return { requests_per_second: rates.limit.perSecond, requests_at_once: rates.limit.burst };
}

function refuseHealth(cause: unknown): never {
  const { message } = toTracingError(cause);
  throw new TracingError('unavailable', message, { cause, extra: { status: 'unavailable' } });
}

function addressOf(request: FastifyRequest): string {
  // The query string has any shape a client likes; a repeated name makes a list.
  const { ip } = request.query as { ip?: unknown };
  if (ip === undefined) return clientAddress(request);
  if (typeof ip === 'string' && isIP(ip) !== 0) return ip;
  throw validationError([{ loc: ['query', 'ip'], msg: 'Input should be a valid IP address', type: 'ip_any_address' }]);
}
