import type { FastifyInstance } from 'fastify';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { exportTraces } from '../ingest/otlp/export-traces.ts';
import { readJsonBody } from '../request-body.ts';
import { sendJson } from '../respond.ts';
import type { Services } from '../services.ts';

/** Spans of OpenTelemetry, which become calls. */
export function registerOtelRoutes(app: FastifyInstance, { storage, limits }: Services): void {
  app.post(ENDPOINTS.otelExportTraces.path, async (request, reply) => {
    const { value, depth } = await readJsonBody(request.raw, limits.request_bytes, limits);
    const header = request.headers['project_id'];
    const projectId = typeof header === 'string' ? header : undefined;
    const answer = await exportTraces(storage.calls, value, { caller: request.caller, limits, depth, projectId });
    return await sendJson(request, reply, JSON.stringify(answer));
  });
}
