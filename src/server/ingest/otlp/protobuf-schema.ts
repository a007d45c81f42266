/** The messages of an OTLP export as the protobuf library reads them: names, types and numbers of fields. */
export const PROTOBUF_SCHEMA = {
  nested: {
    ExportTraceServiceRequest: message({ resourceSpans: many('ResourceSpans', 1) }),
    ResourceSpans: message({ resource: one('Resource', 1), scopeSpans: many('ScopeSpans', 2) }),
    Resource: message({ attributes: many('KeyValue', 1) }),
    ScopeSpans: message({ spans: many('Span', 2) }),
    Span: message({
      traceId: one('bytes', 1),
      spanId: one('bytes', 2),
      traceState: one('string', 3),
      parentSpanId: one('bytes', 4),
      name: one('string', 5),
      kind: one('int32', 6),
      startTimeUnixNano: one('fixed64', 7),
      endTimeUnixNano: one('fixed64', 8),
      attributes: many('KeyValue', 9),
      events: many('Event', 11),
      links: many('Link', 13),
      status: one('Status', 15),
    }),
    Event: message({ timeUnixNano: one('fixed64', 1), name: one('string', 2), attributes: many('KeyValue', 3) }),
    Link: message({
      traceId: one('bytes', 1),
      spanId: one('bytes', 2),
      traceState: one('string', 3),
      attributes: many('KeyValue', 4),
    }),
    Status: message({ message: one('string', 2), code: one('int32', 3) }),
    KeyValue: message({ key: one('string', 1), value: one('AnyValue', 2) }),
    AnyValue: {
      oneofs: {
        value: {
          oneof: ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue'],
        },
      },
      ...message({
        stringValue: one('string', 1),
        boolValue: one('bool', 2),
        intValue: one('int64', 3),
        doubleValue: one('double', 4),
        arrayValue: one('ArrayValue', 5),
        kvlistValue: one('KeyValueList', 6),
        bytesValue: one('bytes', 7),
      }),
    },
    ArrayValue: message({ values: many('AnyValue', 1) }),
    KeyValueList: message({ values: many('KeyValue', 1) }),
    ExportTraceServiceResponse: message({ partialSuccess: one('ExportTracePartialSuccess', 1) }),
    ExportTracePartialSuccess: message({ rejectedSpans: one('int64', 1), errorMessage: one('string', 2) }),
  },
};

interface Field {
  readonly type: string;
  readonly id: number;
  readonly rule?: 'repeated';
}

function message(fields: Record<string, Field>) {
  return { fields };
}

function one(type: string, id: number): Field {
  return { type, id };
}

function many(type: string, id: number): Field {
  return { type, id, rule: 'repeated' };
}
