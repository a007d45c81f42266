import { gunzipSync, inflateSync } from 'node:zlib';
import { spanIdsOf } from './otlp-protobuf.js';

/** Finished calls in the bodies of all protocols in use, each counted once. */
export class FinishedCalls {
  #starts = new Set();
  #ends = new Set();
  /** Calls that arrive whole. */
  #whole = new Set();
  /** Bodies in which nothing is found: requests beside the calls, or a protocol that is not understood. */
  unread = 0;

  /** A call whose start never arrived is not finished: nobody could show it. */
  get count() {
    const pairs = [...this.#ends].filter((id) => this.#starts.has(id));
    return pairs.length + this.#whole.size;
  }

  read(url, headers, received) {
    const body = unpack(headers['content-encoding'], received);
    const type = headers['content-type'] ?? 'application/json';
    const { pathname } = new URL(url, 'http://sink');
    if (pathname.endsWith('/call/upsert_batch')) this.#readItems(JSON.parse(body.toString()).batch);
    else if (pathname.endsWith('/v1/traces')) this.#readSpans(type, body);
    else if (pathname.endsWith('/runs/multipart')) this.#readParts(body);
    else if (pathname.endsWith('/logs3')) this.#readRows(JSON.parse(body.toString()).rows);
    else if (pathname === '/floor') for (const { id } of JSON.parse(body.toString())) this.#whole.add(id);
    else this.unread += 1;
  }

  #readItems(items) {
    for (const { mode, req } of items) {
      if (mode === 'start') this.#starts.add(req.start.id);
      else this.#ends.add(req.end.id);
    }
  }

  #readSpans(type, body) {
    const ids = type.includes('json') ? spanIdsOfJson(JSON.parse(body.toString())) : spanIdsOf(body);
    for (const id of ids) this.#whole.add(id);
  }

  /** langsmith: parts named `post.<run>` and `patch.<run>`, or one `post` of a run that has ended. */
  #readParts(body) {
    const text = body.toString('latin1');
    for (const [, verb, id] of text.matchAll(/name="(post|patch)\.([0-9a-f-]{36})"/g)) {
      (verb === 'post' ? this.#starts : this.#ends).add(id);
    }
    for (const [, id] of text.matchAll(/name="post\.([0-9a-f-]{36})"[^{]*\{[^\r\n]*"end_time":\s?["\d]/g)) {
      this.#ends.add(id);
    }
  }

  /** braintrust: rows that are merged by id; one of them says when the call ended. */
  #readRows(rows) {
    for (const { id, metrics, span_attributes: attributes } of rows) {
      if (attributes !== undefined) this.#starts.add(id);
      if (metrics?.end !== undefined) this.#ends.add(id);
    }
  }
}

function spanIdsOfJson({ resourceSpans = [] }) {
  return resourceSpans.flatMap(({ scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) => spans.map(({ spanId }) => spanId)),
  );
}

function unpack(encoding, body) {
  if (encoding === 'gzip') return gunzipSync(body);
  if (encoding === 'deflate') return inflateSync(body);
  return body;
}
