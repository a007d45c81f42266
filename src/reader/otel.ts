import type { ExportTraceRequest, ExportTraceResponse } from '../protocol/otel.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface ExportOptions extends RequestOptions {
  /** Project of the spans whose resource names none. @default the reader's, if it has one */
  readonly project_id?: string;
}

export interface OtelApi {
  /** `/otel/v1/traces`: an OTLP export in its JSON form; which spans were not taken, and why. */
  exportTraces(request: ExportTraceRequest, options?: ExportOptions): Promise<ExportTraceResponse>;
}

export function createOtelReader(requester: Requester, project: string | undefined): OtelApi {
  return {
    async exportTraces(request, { signal, project_id = project } = {}) {
      const answer = await requester.sendForJson({
        method: 'POST',
        path: '/otel/v1/traces',
        body: request,
        ...(project_id !== undefined && { headers: { project_id } }),
        signal,
      });
      return answer as ExportTraceResponse;
    },
  };
}
