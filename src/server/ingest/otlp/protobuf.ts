import type { ExportTraceResponse } from '../../../protocol/otel.ts';
import { undecodable } from './message.ts';
import { PROTOBUF_SCHEMA } from './protobuf-schema.ts';

/** The bodies of an export in protobuf. */
export interface ProtobufCodec {
  /** The request as a plain object, bytes as bytes; throws `invalid_request` when it is none. */
  decodeRequest(bytes: Uint8Array): unknown;
  encodeResponse(response: ExportTraceResponse): Uint8Array;
}

let codec: Promise<ProtobufCodec> | undefined;

/** The library is loaded with the first protobuf body. */
export function loadProtobuf(): Promise<ProtobufCodec> {
  codec ??= createCodec();
  return codec;
}

async function createCodec(): Promise<ProtobufCodec> {
  const { default: protobuf } = await import('protobufjs/light.js');
  const root = protobuf.Root.fromJSON(PROTOBUF_SCHEMA);
  const Request = root.lookupType('ExportTraceServiceRequest');
  const Response = root.lookupType('ExportTraceServiceResponse');
  return {
    decodeRequest(bytes) {
      try {
        // As texts, 64-bit integers keep all of their digits.
        return Request.toObject(Request.decode(bytes), { longs: String });
      } catch (error) {
        throw undecodable('it is no protobuf message', error);
      }
    },
    encodeResponse: (response) => Response.encode(Response.fromObject(response)).finish(),
  };
}
