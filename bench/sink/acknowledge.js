import { gunzipSync } from 'node:zlib';

const JSON_TYPE = 'application/json';

/** What the services of the measured libraries answer, as far as these look at it. */
const ANSWERS = [
  [/\/(obj|file|table)\/create/, { digest: 'a'.repeat(43) }],
  // langsmith: no compression announced, as its default for services that do not ask for it.
  [/\/info$/, { version: '0', batch_ingest_config: { use_multipart_endpoint: true }, instance_flags: {} }],
  // braintrust: look up a project, send rows.
  [/\/api\/project\/register$/, { project: { id: 'p1', name: 'bench', org_id: 'o1' } }],
  [/\/version$/, { version: '1.1.0', commit: '0', logs3_payload_max_bytes: null }],
  [/\/logs3$/, { ids: [] }],
];

/** Type and body of the answer to a request. */
export function acknowledge({ url, headers }, chunks) {
  const { pathname } = new URL(url, 'http://sink');
  if (pathname.endsWith('/call/upsert_batch')) return acknowledgeItems(headers, chunks);
  if (pathname.endsWith('/v1/traces')) return acknowledgeSpans(headers);
  if (pathname.endsWith('/api/apikey/login')) return { type: JSON_TYPE, body: JSON.stringify(loginOf(headers)) };
  const [, answer = {}] = ANSWERS.find(([pattern]) => pattern.test(pathname)) ?? [];
  return { type: JSON_TYPE, body: JSON.stringify(answer) };
}

/** An entry for each item of a batch; these are counted by a mark, as parsing would take from what is measured. */
function acknowledgeItems({ 'content-encoding': encoding }, chunks) {
  const body = Buffer.concat(chunks);
  const text = encoding === 'gzip' ? gunzipSync(body) : body;
  return { type: JSON_TYPE, body: `{"res":[${'{},'.repeat(itemsIn(text)).slice(0, -1)}]}` };
}

const MODE = Buffer.from('"mode":"');

/** Texts of users have their quotes escaped, so the mark stands once in each item. */
function itemsIn(body) {
  let count = 0;
  for (let at = body.indexOf(MODE); at >= 0; at = body.indexOf(MODE, at + MODE.length)) count += 1;
  return count;
}

/** An empty message means that all spans were accepted. */
function acknowledgeSpans({ 'content-type': type = JSON_TYPE }) {
  return type.includes('json') ? { type: JSON_TYPE, body: '{}' } : { type, body: '' };
}

function loginOf({ host }) {
  const url = `http://${host}`;
  return { org_info: [{ id: 'o1', name: 'bench', api_url: url, proxy_url: url }] };
}
