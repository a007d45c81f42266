import { type Static, Type } from '@sinclair/typebox';
import { Maybe } from './schema.ts';

/**
 * An OTLP `ExportTraceServiceRequest`. Its reader takes more than a schema can say: names in two spellings, numbers as
 * texts, and fields of versions to come.
 */
export const ExportTraceRequest = Type.Object({ resourceSpans: Maybe(Type.Array(Type.Unknown())) });
export type ExportTraceRequest = Static<typeof ExportTraceRequest>;

/** Without `partialSuccess` all spans were taken. */
export const ExportTraceResponse = Type.Object({
  partialSuccess: Type.Optional(
    Type.Object({
      /** A decimal number: 64-bit integers are texts in OTLP. */
      rejectedSpans: Type.String(),
      errorMessage: Type.String(),
    }),
  ),
});
export type ExportTraceResponse = Static<typeof ExportTraceResponse>;
