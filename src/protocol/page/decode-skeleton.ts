import { readId, readIds } from './packed-id.ts';
import { DETACHED, ROOT, SKELETON_START, SKELETON_STATES, type TraceSkeleton } from './skeleton.ts';
import { ByteCursor } from './varint.ts';

const COST_UNITS = 1e9;

/** Reads the bytes of a whole trace. Throws a `RangeError` when they are none, or end too early. */
export function decodeSkeleton(bytes: Uint8Array): TraceSkeleton {
  const reader = new ByteCursor(bytes);
  if (SKELETON_START.some((byte) => reader.byte() !== byte)) {
    throw new RangeError('Cannot read the trace: these are no bytes of a skeleton that this version knows');
  }
  const columns = new Columns();
  for (let count = reader.varint(); count > 0; count = reader.varint()) columns.readBlock(reader, count);
  return columns.finish();
}

/** The columns of all blocks so far. */
class Columns {
  readonly #ids: string[] = [];
  readonly #parents: number[] = [];
  /** Parents that are named by their ids. */
  readonly #namedParents = new Map<number, string>();
  readonly #startedAt: number[] = [];
  readonly #endedAt: number[] = [];
  readonly #ops: { name: string; kind: string }[] = [];
  readonly #op: number[] = [];
  readonly #states: number[] = [];
  readonly #tokensIn: number[] = [];
  readonly #tokensOut: number[] = [];
  readonly #costs: number[] = [];
  readonly #texts: string[] = [];
  readonly #names = new Map<number, string>();
  readonly #errors = new Map<number, string>();
  readonly #models = new Map<number, string>();
  readonly #firstChunkMs = new Map<number, number>();

  readBlock(reader: ByteCursor, count: number): void {
    const first = this.#ids.length;
    const end = first + count;
    for (const id of readIds(reader, count)) this.#ids.push(id);
    for (let index = first; index < end; index++) this.#readParent(reader, index);
    for (let index = first; index < end; index++) this.#startedAt.push((this.#startedAt.at(-1) ?? 0) + reader.signed());
    for (let index = first; index < end; index++) {
      this.#endedAt.push((this.#startedAt[index] ?? Number.NaN) + readOptional(reader));
    }
    for (let index = first; index < end; index++) this.#readOp(reader);
    for (let index = first; index < end; index++) this.#tokensIn.push(reader.varint());
    for (let index = first; index < end; index++) this.#tokensOut.push(reader.varint());
    for (let index = first; index < end; index++) this.#costs.push(readOptional(reader) / COST_UNITS);
    const readText = () => this.#readText(reader);
    readSparse(reader, first, this.#names, readText);
    readSparse(reader, first, this.#errors, readText);
    readSparse(reader, first, this.#models, readText);
    readSparse(reader, first, this.#firstChunkMs, () => reader.varint() / 1000);
  }

  finish(): TraceSkeleton {
    const missing = this.#resolveParents();
    return {
      count: this.#ids.length,
      ids: this.#ids,
      parents: Int32Array.from(this.#parents),
      startedAt: Float64Array.from(this.#startedAt),
      endedAt: Float64Array.from(this.#endedAt),
      ops: this.#ops,
      op: Uint32Array.from(this.#op),
      names: this.#names,
      states: Uint8Array.from(this.#states),
      tokensIn: Float64Array.from(this.#tokensIn),
      tokensOut: Float64Array.from(this.#tokensOut),
      costs: Float64Array.from(this.#costs),
      errors: this.#errors,
      models: this.#models,
      firstChunkMs: this.#firstChunkMs,
      received: this.#ids.length,
      missingParents: missing.size,
    };
  }

  #readParent(reader: ByteCursor, index: number): void {
    const distance = reader.varint();
    if (distance === 1) this.#namedParents.set(index, readId(reader));
    this.#parents.push(distance === 0 ? ROOT : distance === 1 ? DETACHED : index - distance + 1);
  }

  #readOp(reader: ByteCursor): void {
    const value = reader.varint();
    const place = Math.floor(value / SKELETON_STATES.length);
    this.#states.push(value % SKELETON_STATES.length);
    if (place === this.#ops.length) this.#ops.push({ name: reader.text(), kind: reader.text() });
    this.#op.push(place);
  }

  #readText(reader: ByteCursor): string {
    const place = reader.varint();
    if (place === this.#texts.length) this.#texts.push(reader.text());
    return this.#texts[place] ?? '';
  }

  /** Finds parents that started after their children; the ids of those that are not there. */
  #resolveParents(): ReadonlySet<string> {
    const missing = new Set<string>();
    if (this.#namedParents.size === 0) return missing;
    const places = new Map(this.#ids.map((id, index) => [id, index]));
    for (const [index, id] of this.#namedParents) {
      const place = places.get(id);
      if (place === undefined) missing.add(id);
      // A call that names itself hangs on nothing.
      else if (place !== index) this.#parents[index] = place;
    }
    return missing;
  }
}

/** NaN where there is none. */
function readOptional(reader: ByteCursor): number {
  const value = reader.varint();
  if (value === 0) return Number.NaN;
  return value % 2 === 0 ? -(value / 2) : (value - 1) / 2;
}

function readSparse<T>(reader: ByteCursor, first: number, column: Map<number, T>, read: () => T): void {
  let index = first;
  for (let left = reader.varint(); left > 0; left--) {
    index += reader.varint();
    column.set(index, read());
  }
}
