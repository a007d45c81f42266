import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { ExportTraceResponse } from '../../protocol/otel.ts';
import { type Translator, translatorOf } from '../../protocol/translator.ts';
import { exportTraces } from '../ingest/otlp/export-traces.ts';
import { loadProtobuf } from '../ingest/otlp/protobuf.ts';
import { readBytes, readJsonBody } from '../request-body.ts';
import { sendJson } from '../respond.ts';
import type { Services } from '../services.ts';

const PROTOBUF_TYPE = /^application\/(?:x-)?protobuf\s*(?:;|$)/i;

/** Spans of OpenTelemetry, which become calls; the answer has the encoding of the request. */
export function registerOtelRoutes(app: FastifyInstance, { storage, limits }: Services): void {
  const write = async (request: FastifyRequest, body: unknown, depth: number): Promise<ExportTraceResponse> => {
    const header = request.headers['project_id'];
    const projectId = typeof header === 'string' ? header : undefined;
    const translator = request.dialect && translatorOf(request.dialect);
    const context = { caller: request.caller, limits, depth, projectId, translator };
    const answer = await exportTraces(storage.calls, body, context);
    return translator ? translateAnswer(answer, translator) : answer;
  };

  const answerProtobuf = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const codec = await loadProtobuf();
    const body = codec.decodeRequest(await readBytes(request.raw, limits.request_bytes));
    const answer = codec.encodeResponse(await write(request, body, Infinity));
    return await reply.type('application/x-protobuf').send(Buffer.from(answer));
  };

  app.post(ENDPOINTS.otelExportTraces.path, async (request, reply) => {
    if (PROTOBUF_TYPE.test(request.headers['content-type'] ?? '')) return await answerProtobuf(request, reply);
    const { value, depth } = await readJsonBody(request.raw, limits.request_bytes, limits);
    return await sendJson(request, reply, JSON.stringify(await write(request, value, depth)));
  });
}

function translateAnswer({ partialSuccess }: ExportTraceResponse, { message }: Translator): ExportTraceResponse {
  if (!partialSuccess) return {};
  return { partialSuccess: { ...partialSuccess, errorMessage: message(partialSuccess.errorMessage) } };
}
