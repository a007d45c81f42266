import type { Call } from '../../protocol/call.ts';
import { parseJson } from '../../protocol/values/json.ts';
import type { NewBatchItem, Reader } from '../../reader/reader.ts';

/** A request has so many calls, or so many characters. */
const MAX_CALLS = 500;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Calls that are sent in one request. */
export class CallGroup {
  #calls: Call[] = [];
  #characters = 0;

  get count(): number {
    return this.#calls.length;
  }

  get isFull(): boolean {
    return this.#calls.length >= MAX_CALLS || this.#characters >= MAX_CHARACTERS;
  }

  /** @param text JSON of a call as a service sent it */
  add(text: string): void {
    // The service made the line.
    this.#calls.push(parseJson(text) as unknown as Call);
    this.#characters += text.length;
  }

  /** Sends them to a service and is empty again. `reader` keeps the digits of numbers. */
  async send(reader: Reader): Promise<void> {
    await reader.calls.write(this.#calls.flatMap(itemsOf));
    this.#calls = [];
    this.#characters = 0;
  }
}

/**
 * The start with its span of OpenTelemetry by itself, as it came: among the attributes it would count as a part of them, for which both
 * may be too large. Services put it behind all other attributes.
 */
function spanApart<Start extends Pick<Call, 'id' | 'attributes'>>(start: Start) {
  const { otel_span: span, ...attributes } = start.attributes;
  if (Object.keys(start.attributes).at(-1) !== 'otel_span' || !isSpanOf(span, start.id)) return start;
  return { ...start, attributes, otel_dump: span };
}

/** Whoever records may have an attribute of that name. */
function isSpanOf(span: unknown, id: string): span is Record<string, unknown> {
  const { context } = Object(span) as { readonly context?: { readonly span_id?: unknown } | null };
  return context?.span_id === id;
}

/** Start and end of a call as it was read; what the service computes, it computes anew. */
function itemsOf(call: Call): NewBatchItem[] {
  const { ended_at, exception, output, summary, svc_run_step_end, ...start } = call;
  const { deleted_at: _deleted, storage_size_bytes: _size, total_storage_size_bytes: _total, ...begun } = start;
  const items: NewBatchItem[] = [{ mode: 'start', req: { start: spanApart(begun) } }];
  if (ended_at === null) return items;
  const { id, project_id } = call;
  const step = svc_run_step_end === undefined || svc_run_step_end === null ? {} : { svc_run_step_end };
  const end = { id, project_id, ended_at, exception, output, summary, ...step };
  return [...items, { mode: 'end', req: { end } }];
}
