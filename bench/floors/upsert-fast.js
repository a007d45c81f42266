// Floor: the items of `upsert`, written by hand. What is the same for every call of an op is prepared once, the text of
// a time is kept for its millisecond, and only inputs and output go through JSON.stringify.
import { createPoster } from './poster.js';
import { createRecorder, PROJECT } from './recorder.js';

const END_HEAD = `{"mode":"end","req":{"end":{"project_id":"${PROJECT}","id":"`;
const SUCCESS = ',"summary":{"status_counts":{"success":1,"error":0}}}}}';
const FAILURE = ',"summary":{"status_counts":{"success":0,"error":1}},"exception":';

export async function open({ url }) {
  const bodyOf = (items) => `{"batch":[${items.join(',')}]}`;
  const poster = createPoster({ url, path: '/call/upsert_batch', bodyOf });
  const recorder = createRecorder({
    createOp: (op) => ({ ...op, head: headOf(op) }),
    start({ id, traceId, parentId, startedAt, inputs }, op) {
      const parent = parentId === undefined ? '' : `","parent_id":"${parentId}`;
      const ids = `${op.head}${id}","trace_id":"${traceId}${parent}`;
      poster.push(`${ids}","started_at":"${isoText(startedAt)}","inputs":${JSON.stringify(inputs)}}}}`);
    },
    end({ id, endedAt, output, error }) {
      const head = `${END_HEAD}${id}","ended_at":"${isoText(endedAt)}","output":${JSON.stringify(output) ?? 'null'}`;
      poster.push(error === undefined ? head + SUCCESS : `${head}${FAILURE}${JSON.stringify(String(error))}}}}`);
    },
  });
  return { ...recorder, flush: poster.flush };
}

function headOf({ name }) {
  const attributes = '{"svc":{"client_version":"0.1.0","source":"js-sdk"}}';
  const constant = `"project_id":"${PROJECT}","op_name":"svc:///${PROJECT}/op/${name}:1","attributes":${attributes}`;
  return `{"mode":"start","req":{"start":{${constant},"id":"`;
}

let lastMs = -1;
let lastText = '';

function isoText(ms) {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
