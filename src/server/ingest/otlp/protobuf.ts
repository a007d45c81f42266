import type { ExportTraceResponse } from '../../../protocol/otel.ts';
import { decodeMessage } from './decode-message.ts';
import { PROTOBUF_SCHEMA } from './protobuf-schema.ts';

/** The bodies of an export in protobuf. */
export interface ProtobufCodec {
  /** The request, of which lists are decoded as they are gone through; they throw `invalid_request` where it is none. */
  decodeRequest(bytes: Buffer): unknown;
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
  const Response = root.lookupType('ExportTraceServiceResponse');
  return {
    decodeRequest: (bytes) => decodeMessage('ExportTraceServiceRequest', bytes),
    encodeResponse: (response) => Response.encode(Response.fromObject(response)).finish(),
  };
}
