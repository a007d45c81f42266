// Floor: start and end items of `POST /call/upsert_batch`, as plain objects.
import { createPoster } from './poster.js';
import { createRecorder, PROJECT } from './recorder.js';

const ATTRIBUTES = { svc: { client_version: '0.1.0', source: 'js-sdk' } };

export async function open({ url }) {
  const bodyOf = (batch) => JSON.stringify({ batch });
  const poster = createPoster({ url, path: '/call/upsert_batch', bodyOf });
  const recorder = createRecorder({
    start({ id, traceId, parentId, startedAt, inputs }, op) {
      const start = {
        project_id: PROJECT,
        op_name: `svc:///${PROJECT}/op/${op.name}:1`,
        attributes: ATTRIBUTES,
        id,
        trace_id: traceId,
        parent_id: parentId,
        started_at: new Date(startedAt).toISOString(),
        inputs,
      };
      poster.push({ mode: 'start', req: { start } });
    },
    end({ id, endedAt, output, error }) {
      const end = {
        project_id: PROJECT,
        id,
        ended_at: new Date(endedAt).toISOString(),
        output,
        summary: { status_counts: { success: error === undefined ? 1 : 0, error: error === undefined ? 0 : 1 } },
        exception: error === undefined ? undefined : String(error),
      };
      poster.push({ mode: 'end', req: { end } });
    },
  });
  return { ...recorder, flush: poster.flush };
}
