import { createHash } from 'node:crypto';
import protobuf from 'protobufjs/light.js';
import { PROTOBUF_SCHEMA } from '../../../src/server/ingest/otlp/protobuf-schema.ts';
import type { State } from './ledger.ts';
import { callKey, callState } from './write-calls.ts';
import type { Writer, WriterContext } from './writers.ts';

const MESSAGE = protobuf.Root.fromJSON(PROTOBUF_SCHEMA).lookupType('ExportTraceServiceRequest');

/** Exports of OpenTelemetry, each of some spans, which are calls that have ended. */
export function spanWriter({ project, prefix, random }: WriterContext, form: 'json' | 'protobuf'): Writer {
  let made = 0;
  return () => {
    const changes = new Map<string, State>();
    const spans = Array.from({ length: random.between(1, 30) }, () => {
      const id = hex(`${prefix}-${made++}`, 16);
      // A text that is empty is none.
      const [input, output] = [`from ${random.text()}`, `to ${random.text()}`];
      const state = { op: 'chat', parent: null, inputs: { input }, output, name: null, isEnded: true };
      changes.set(callKey(id), callState(state));
      return spanOf(id, form, { input, output });
    });
    const message = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    const isJson = form === 'json';
    const body = isJson ? message : Buffer.from(MESSAGE.encode(MESSAGE.fromObject(message)).finish());
    const headers = { project_id: project, 'content-type': isJson ? 'application/json' : 'application/x-protobuf' };
    return { path: '/otel/v1/traces', body, headers, changes };
  };
}

function spanOf(id: string, form: 'json' | 'protobuf', texts: Readonly<Record<string, string>>): object {
  const traceId = hex(`trace ${id}`, 32);
  const bytes = (text: string) => (form === 'json' ? text : Buffer.from(text, 'hex'));
  return {
    traceId: bytes(traceId),
    spanId: bytes(id),
    name: 'chat',
    kind: 3,
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601500000000',
    attributes: Object.entries(texts).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  };
}

function hex(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
