import type { GeolocateResponse, HealthResponse, ServerInfoResponse, VersionResponse } from '../protocol/service.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface ServiceApi {
  /** `/health`; throws `unavailable` while the storage cannot be reached. */
  health(options?: RequestOptions): Promise<HealthResponse>;
  /** `/version` of the service and of its interface. */
  version(options?: RequestOptions): Promise<VersionResponse>;
  /** `/server_info`: dialects, limits in force, the oldest client it accepts. */
  info(options?: RequestOptions): Promise<ServerInfoResponse>;
  /** `/geolocate` of an address. @default the caller's own */
  geolocate(ip?: string, options?: RequestOptions): Promise<GeolocateResponse>;
}

export function createServiceReader(requester: Requester): ServiceApi {
  const get = (path: string, { signal }: RequestOptions = {}) => requester.sendForJson({ method: 'GET', path, signal });
  return {
    health: async (options) => (await get('/health', options)) as HealthResponse,
    version: async (options) => (await get('/version', options)) as VersionResponse,
    info: async (options) => (await get('/server_info', options)) as ServerInfoResponse,
    geolocate: async (ip, options) => {
      const path = ip === undefined ? '/geolocate' : `/geolocate?ip=${encodeURIComponent(ip)}`;
      return (await get(path, options)) as GeolocateResponse;
    },
  };
}
