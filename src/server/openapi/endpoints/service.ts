import { DEFAULT_LIMITS } from '../../../protocol/limits.ts';
import {
  INTERFACE_VERSION,
  MIN_CLIENT_VERSION,
  MIN_SCRIPT_CLIENT_VERSION,
  PACKAGE_VERSION,
} from '../../../protocol/version.ts';
import { DIALECT_NAMES } from '../../../protocol/spelling/dialect.ts';
import type { EndpointText } from '../endpoint-text.ts';

export const SERVICE = {
  health: {
    area: 'Service',
    summary: 'Tells whether the storage can be read and written',
    description: 'A service that was told so lets this endpoint be asked without a key.',
    errors: [['unavailable', 'the storage cannot be read or written; the body has `status` too']],
    answer: { status: 'ok' },
  },
  version: {
    area: 'Service',
    summary: 'Version of the service and of the interface',
    answer: { version: PACKAGE_VERSION, interface: INTERFACE_VERSION },
  },
  geolocate: {
    area: 'Service',
    summary: 'The address of the caller, or `ip`',
    description: 'No location is known to this service.',
    errors: [['validation_error', '`ip` is no address']],
    answer: { ip: '127.0.0.1', location: null, allowed: true },
  },
  serverInfo: {
    area: 'Service',
    summary: 'Versions and the limits in force',
    answer: {
      min_required_svc_python_version: MIN_SCRIPT_CLIENT_VERSION,
      trace_server_version: PACKAGE_VERSION,
      min_required_svc_client_version: MIN_CLIENT_VERSION,
      dialects: DIALECT_NAMES,
      limits: DEFAULT_LIMITS,
    },
  },
} as const satisfies Record<string, EndpointText>;
