import { TracingError } from '../../../protocol/error.ts';
import type { RecordField, SortKey } from '../../../storage/contract/plan.ts';
import type { RecordValues } from '../../../storage/values/record-values.ts';
import { compareRecords, sortValuesOf } from '../../../storage/values/sort-records.ts';
import type { SortValue } from '../../../storage/values/sort-values.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';

/** Calls that are kept beyond those of a page, so that short pages are not cut all the time. */
const SPARE_CALLS = 1000;

interface Held {
  readonly call: StoredCall;
  readonly values: readonly SortValue[];
  readonly bytes: number;
}

/** Puts calls in an order that no storage knows, and keeps no more of them than a page may show. */
export class SortedCalls {
  readonly #keys: readonly SortKey<RecordField>[];
  /** Places in the order that are asked for; undefined: all. */
  readonly #end: number | undefined;
  readonly #maxBytes: number;
  #held: Held[] = [];
  #bytes = 0;

  constructor(keys: readonly SortKey<RecordField>[], end: number | undefined, maxBytes: number) {
    this.#keys = keys;
    this.#end = end;
    this.#maxBytes = maxBytes;
  }

  /** Throws `invalid_request` when what must be kept is too large. */
  add(call: StoredCall, record: RecordValues): void {
    const values = sortValuesOf(record, this.#keys);
    const bytes = sizeOf(call) + values.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
    this.#held.push({ call, values, bytes });
    this.#bytes += bytes;
    // Twice the room, so that not every call needs a cut.
    const isMany = this.#end !== undefined && this.#held.length > 2 * this.#end + SPARE_CALLS;
    if (isMany || this.#bytes > 2 * this.#maxBytes) this.#cut();
  }

  /** All calls that are kept, in order. */
  inOrder(): StoredCall[] {
    this.#cut();
    return this.#held.map(({ call }) => call);
  }

  #cut(): void {
    this.#held.sort((left, right) => compareRecords(left.values, right.values, this.#keys));
    if (this.#end !== undefined) this.#held = this.#held.slice(0, this.#end);
    this.#bytes = this.#held.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#bytes <= this.#maxBytes) return;
    const reason = `they take more than ${this.#maxBytes} bytes: ask for fewer calls or columns`;
    throw new TracingError('invalid_request', `Cannot sort calls by values that references name: ${reason}`);
  }
}

function sizeOf({ attributes, inputs, output, summary, otel_dump: dump, exception }: StoredCall): number {
  const texts = [attributes, inputs, output, summary, dump, exception];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 500);
}
