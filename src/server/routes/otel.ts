import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { ExportTraceResponse } from '../../protocol/otel.ts';
import { exportBody } from '../ingest/otlp/export-body.ts';
import { loadProtobuf } from '../ingest/otlp/protobuf.ts';
import { checkMessages } from '../ingest/otlp/protobuf-survey.ts';
import { receivedSpans } from '../page/received.ts';
import type { TakenSpans } from '../ingest/otlp/export-traces.ts';
import { askedOf, isLarge } from '../ingest/large/large-bodies.ts';
import { parseBody, readBytes, type ReceivedBody, receiveJson } from '../http/body/request-body.ts';
import { sendJson } from '../http/respond.ts';
import type { Services } from '../services.ts';
import { signalOf } from './route.ts';

const PROTOBUF_TYPE = /^application\/(?:x-)?protobuf\s*(?:;|$)/i;

/** Protobuf is decoded field by field, which takes twice as long as parsing JSON of this size. */
const MAX_BYTES_AT_ONCE = 256 * 1024;

/** A span of usual size has some twenty. */
const MAX_MESSAGES_AT_ONCE = 10_000;

/** Spans of OpenTelemetry, which become calls; the answer has the encoding of the request. */
export function registerOtelRoutes(app: FastifyInstance, { storage, limits, bodies }: Services): void {
  /** Large bodies go to another thread; `shape` is there for JSON. */
  const elsewhere = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { bytes, shape }: Pick<ReceivedBody, 'bytes'> & Partial<ReceivedBody>,
  ): Promise<string> => {
    const task = { name: 'otelExportTraces', limits, asked: askedOf(request), ...(shape && { shape }) } as const;
    const answer = await bodies.answer(task, bytes, signalOf(reply));
    request.received = answer.received;
    return Buffer.from(answer.bytes).toString();
  };

  const noteTaken = (request: FastifyRequest) => (taken: TakenSpans) => {
    request.received = receivedSpans(taken);
  };

  const answerProtobuf = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const codec = await loadProtobuf();
    const bytes = await readBytes(request.raw, limits.request_bytes);
    const messages = await checkMessages(bytes);
    const exchange = { request, caller: request.caller, limits, depth: Infinity };
    const answer =
      bytes.length > MAX_BYTES_AT_ONCE || messages > MAX_MESSAGES_AT_ONCE
        ? (JSON.parse(await elsewhere(request, reply, { bytes })) as ExportTraceResponse)
        : await exportBody(storage.calls, bytes, exchange, noteTaken(request));
    return await reply.type('application/x-protobuf').send(Buffer.from(codec.encodeResponse(answer)));
  };

  app.post(ENDPOINTS.otelExportTraces.path, async (request, reply) => {
    if (PROTOBUF_TYPE.test(request.headers['content-type'] ?? '')) return await answerProtobuf(request, reply);
    const received = await receiveJson(request.raw, limits.request_bytes, limits);
    if (isLarge('otelExportTraces', received.bytes, received.shape))
      return await sendJson(request, reply, await elsewhere(request, reply, received));
    const exchange = { request, caller: request.caller, limits, depth: received.shape.depth };
    const answer = await exportBody(storage.calls, parseBody(received, limits), exchange, noteTaken(request));
    return await sendJson(request, reply, JSON.stringify(answer));
  });
}
