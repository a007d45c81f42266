import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { ExportTraceResponse } from '../../../protocol/otel.ts';
import { type Translator, translatorOf } from '../../../protocol/spelling/translator.ts';
import type { WriteExchange } from '../write-requests.ts';
import { exportTraces, type TakenSpans } from './export-traces.ts';
import { loadProtobuf } from './protobuf.ts';
import type { WriteStores } from '../write-stores.ts';

/** Writes the spans of a body: parsed JSON, or the bytes of a protobuf message. The answer is in the words of the request. */
export async function exportBody(
  calls: WriteStores['calls'],
  body: JsonValue | Buffer,
  { request, caller, limits, depth }: WriteExchange,
  onTaken?: (taken: TakenSpans) => void,
): Promise<ExportTraceResponse> {
  const decoded = Buffer.isBuffer(body) ? (await loadProtobuf()).decodeRequest(body) : body;
  const header = request.headers['project_id'];
  const projectId = typeof header === 'string' ? header : undefined;
  const translator = request.dialect && translatorOf(request.dialect);
  const answer = await exportTraces(calls, decoded, { caller, limits, depth, projectId, translator, onTaken });
  return translator ? translateAnswer(answer, translator) : answer;
}

function translateAnswer({ partialSuccess }: ExportTraceResponse, { message }: Translator): ExportTraceResponse {
  if (!partialSuccess) return {};
  return { partialSuccess: { ...partialSuccess, errorMessage: message(partialSuccess.errorMessage) } };
}
