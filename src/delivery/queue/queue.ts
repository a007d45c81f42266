import type { CallRecord } from '../../protocol/record.ts';
import { Ring } from './ring.ts';

/** Bytes that an entry costs besides its JSON text. */
const ENTRY_BYTES = 64;
/** Dropping makes this share of the queue free at once, so that its cost is spread over many records. */
const SHARE_TO_FREE = 0.1;

/** In memory, never blocks; `Backlog` bounds it. Records leave in the order they came. */
export class Queue {
  readonly #ring = new Ring<CallRecord>();
  /** Beside the records instead of around them: a wrapper object per record costs more than the record's own slot. */
  readonly #sequence = new Ring<number>();
  #bytes = 0;

  get length(): number {
    return this.#ring.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of the oldest record. */
  get headSequence(): number {
    return this.#sequence.peek() ?? 0;
  }

  push(record: CallRecord, sequence: number): void {
    this.#ring.push(record);
    this.#sequence.push(sequence);
    this.#bytes += record.bytes + ENTRY_BYTES;
  }

  peek(): CallRecord | undefined {
    return this.#ring.peek();
  }

  shift(): CallRecord | undefined {
    const record = this.#ring.shift();
    this.#sequence.shift();
    if (record) this.#bytes -= record.bytes + ENTRY_BYTES;
    return record;
  }

  /**
   * Makes room by losing what hurts least: first calls that are wholly in here and have no children, then other
   * calls below a root, roots last; the oldest first. Returns the numbers of those that went.
   */
  dropLeastValuable(): number[] {
    const records = this.#ring.drain();
    const sequence = this.#sequence.drain();
    const surplus = SHARE_TO_FREE * this.#bytes;
    const doomed = chooseVictims(records, surplus, Math.ceil(SHARE_TO_FREE * records.length));
    const dropped: number[] = [];
    this.#bytes = 0;
    for (const [index, record] of records.entries()) {
      const number = sequence[index] ?? 0; // Both lists are equally long.
      if (doomed.has(idOf(record))) dropped.push(number);
      else this.push(record, number);
    }
    return dropped;
  }
}

/** Ids of calls, so that both halves go together. */
function chooseVictims(records: readonly CallRecord[], bytes: number, items: number): Set<string> {
  const valueOf = callValues(records);
  const doomed = new Set<string>();
  let freedBytes = 0;
  let freedItems = 0;
  for (const value of [0, 1, 2]) {
    for (const record of records) {
      if (freedBytes >= bytes && freedItems >= items) return doomed;
      if (valueOf(record) !== value) continue;
      doomed.add(idOf(record));
      freedBytes += record.bytes + ENTRY_BYTES;
      freedItems++;
    }
  }
  return doomed;
}

/** 0 for a finished leaf, 1 for another call below a root, 2 for a root or a call of which only one half is here. */
function callValues(records: readonly CallRecord[]): (record: CallRecord) => 0 | 1 | 2 {
  const parents = new Set<string>();
  const nested = new Set<string>();
  const ended = new Set<string>();
  for (const record of records) {
    if (record.kind === 'end') ended.add(record.end.id);
    else if (record.start.parent_id) {
      parents.add(record.start.parent_id);
      nested.add(record.start.id);
    }
  }
  return (record) => {
    const id = idOf(record);
    if (!nested.has(id)) return 2;
    return ended.has(id) && !parents.has(id) ? 0 : 1;
  };
}

function idOf(record: CallRecord): string {
  return record.kind === 'start' ? record.start.id : record.end.id;
}
