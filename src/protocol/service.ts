import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from './schema.ts';

export const HealthResponse = Type.Object({ status: Type.String() });
export type HealthResponse = Static<typeof HealthResponse>;

export const VersionResponse = Type.Object({ version: Type.String(), interface: Type.String() });
export type VersionResponse = Static<typeof VersionResponse>;

export const GeolocateResponse = Type.Object({
  ip: Type.String(),
  location: OrNull(
    Type.Object({
      file_index: Type.Integer(),
      range_start_int: Type.Integer(),
      range_end_int: Type.Integer(),
      range_start_ip: Type.String(),
      range_end_ip: Type.String(),
      country_code: Type.String(),
      country_name: Type.String(),
    }),
  ),
  allowed: Type.Boolean(),
});
export type GeolocateResponse = Static<typeof GeolocateResponse>;

export const ServerInfoResponse = Type.Object({
  min_required_svc_python_version: Type.String(),
  trace_server_version: Type.String(),
  min_required_svc_client_version: Type.String(),
  dialects: Type.Array(Type.String()),
  limits: Type.Record(Type.String(), Type.Number()),
});
export type ServerInfoResponse = Static<typeof ServerInfoResponse>;
