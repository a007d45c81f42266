import { writeId, writeIds } from './packed-id.ts';
import { DETACHED, ROOT, SKELETON_START, SKELETON_STATES, type SkeletonBlock } from './skeleton.ts';
import { ByteWriter } from './varint.ts';

/** Billionths of a dollar. */
const COST_UNITS = 1e9;

/**
 * Writes a trace as bytes for `decodeSkeleton`, at most 40 a call beside its texts. The calls come in the order in which
 * they started; what is written of some needs none of those that follow.
 */
export class SkeletonEncoder {
  readonly #writer = new ByteWriter();
  readonly #ops = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #count = 0;
  #startedAt = 0;
  #hasBegun = false;

  /** The bytes of further calls. */
  encode(block: SkeletonBlock): Uint8Array<ArrayBuffer> {
    this.#begin();
    // A block without calls would be the end.
    if (block.ids.length > 0) this.#block(block);
    return this.#writer.take();
  }

  /** The last bytes, by which a reader knows that none are missing. */
  end(): Uint8Array<ArrayBuffer> {
    this.#begin();
    this.#writer.varint(0);
    return this.#writer.take();
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#writer.bytes(Uint8Array.from(SKELETON_START));
  }

  #block(block: SkeletonBlock): void {
    const writer = this.#writer;
    const { ids, endedAt, startedAt } = block;
    writer.varint(ids.length);
    writeIds(writer, ids);
    this.#parents(block);
    for (const at of startedAt) {
      writer.signed(at - this.#startedAt);
      this.#startedAt = at;
    }
    for (let index = 0; index < ids.length; index++)
      this.#optional((endedAt[index] ?? NaN) - (startedAt[index] ?? NaN));
    this.#opsOf(block);
    for (const tokens of block.tokensIn) writer.varint(toCount(tokens));
    for (const tokens of block.tokensOut) writer.varint(toCount(tokens));
    for (const cost of block.costs) this.#optional(Math.round(cost * COST_UNITS));
    this.#sparse(block.names, this.#text);
    this.#sparse(block.errors, this.#text);
    this.#sparse(block.models, this.#text);
    this.#sparse(block.firstChunkMs, (ms) => writer.varint(toCount(ms * 1000)));
    this.#count += ids.length;
  }

  /** How far back the parent is; a parent that started later, or never came, by its id. */
  #parents({ ids, parents, namedParents }: SkeletonBlock): void {
    let named = 0;
    for (let index = 0; index < parents.length; index++) {
      const parent = parents[index] ?? ROOT;
      const back = this.#count + index - parent;
      if (parent === ROOT) this.#writer.varint(0);
      else if (parent !== DETACHED && back > 0) this.#writer.varint(back + 1);
      else {
        this.#writer.varint(1);
        writeId(this.#writer, (parent === DETACHED ? namedParents[named++] : ids[parent - this.#count]) ?? '');
      }
    }
  }

  /** The state, and of the op its place; one that is new follows the first place that is free. */
  #opsOf({ ops, op, states }: SkeletonBlock): void {
    const places: (number | undefined)[] = ops.map(({ name, kind }) => this.#ops.get(JSON.stringify([name, kind])));
    for (let index = 0; index < op.length; index++) {
      const own = op[index] ?? 0;
      const known = places[own];
      this.#writer.varint((known ?? this.#ops.size) * SKELETON_STATES.length + (states[index] ?? 0));
      if (known === undefined) places[own] = this.#addOp(ops[own] ?? { name: '', kind: '' }, places, ops);
    }
  }

  #addOp({ name, kind }: Op, places: (number | undefined)[], ops: readonly Op[]): number {
    const place = this.#ops.size;
    this.#ops.set(JSON.stringify([name, kind]), place);
    this.#writer.text(name);
    this.#writer.text(kind);
    // Others of the block may be shown as the same.
    for (const [index, other] of ops.entries()) if (other.name === name && other.kind === kind) places[index] = place;
    return place;
  }

  readonly #text = (text: string): void => {
    const known = this.#texts.get(text);
    this.#writer.varint(known ?? this.#texts.size);
    if (known !== undefined) return;
    this.#texts.set(text, this.#texts.size);
    this.#writer.text(text);
  };

  /** 0 where there is none, which is NaN. */
  #optional(value: number): void {
    if (Number.isNaN(value)) this.#writer.varint(0);
    else this.#writer.varint(1 + (value < 0 ? -2 * value - 1 : 2 * value));
  }

  /** A column that few calls have: how many, then for each how far it is from the last one. */
  #sparse<Value>(column: ReadonlyMap<number, Value>, write: (value: Value) => void): void {
    this.#writer.varint(column.size);
    let last = 0;
    for (const [index, value] of column) {
      this.#writer.varint(index - last);
      write(value);
      last = index;
    }
  }
}

type Op = SkeletonBlock['ops'][number];

/** Tokens are counted by whoever sends them. */
function toCount(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER) : 0;
}
