import { writeId, writeIds } from './packed-id.ts';
import { MAX_BLOCK_CALLS, SKELETON_START, SKELETON_STATES, type SkeletonCall } from './skeleton.ts';
import { ByteWriter } from './varint.ts';

/** Billionths of a dollar. */
const COST_UNITS = 1e9;

/**
 * Writes a trace as bytes for `decodeSkeleton`, at most 40 a call beside its texts. The calls come in the order in which
 * they started; what is written of some needs none of those that follow.
 */
export class SkeletonEncoder {
  readonly #writer = new ByteWriter();
  readonly #places = new Map<string, number>();
  readonly #ops = new Map<string, number>();
  readonly #texts = new Map<string, number>();
  #startedAt = 0;
  #hasBegun = false;

  /** The bytes of further calls. */
  encode(calls: readonly SkeletonCall[]): Uint8Array {
    this.#begin();
    for (let index = 0; index < calls.length; index += MAX_BLOCK_CALLS) {
      this.#block(calls.slice(index, index + MAX_BLOCK_CALLS));
    }
    return this.#writer.take();
  }

  /** The last bytes, by which a reader knows that none are missing. */
  end(): Uint8Array {
    this.#begin();
    this.#writer.varint(0);
    return this.#writer.take();
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#writer.bytes(Uint8Array.from(SKELETON_START));
  }

  #block(calls: readonly SkeletonCall[]): void {
    const writer = this.#writer;
    writer.varint(calls.length);
    writeIds(
      writer,
      calls.map(({ id }) => id),
    );
    this.#parents(calls);
    for (const { startedAt } of calls) {
      writer.signed(startedAt - this.#startedAt);
      this.#startedAt = startedAt;
    }
    for (const { startedAt, endedAt } of calls) this.#optional(endedAt === null ? null : endedAt - startedAt);
    for (const call of calls) this.#op(call);
    for (const { tokensIn } of calls) writer.varint(toCount(tokensIn));
    for (const { tokensOut } of calls) writer.varint(toCount(tokensOut));
    for (const { cost } of calls) this.#optional(cost === null ? null : Math.round(cost * COST_UNITS));
    this.#sparse(calls, ({ name, op }) => (name === op ? null : name), this.#text);
    this.#sparse(calls, ({ error }) => error, this.#text);
    this.#sparse(calls, ({ model }) => model, this.#text);
    this.#sparse(
      calls,
      ({ firstChunkMs }) => firstChunkMs,
      (ms) => writer.varint(toCount(ms * 1000)),
    );
  }

  /** How far back the parent is; a parent that started later, or never came, by its id. */
  #parents(calls: readonly SkeletonCall[]): void {
    for (const { id, parentId } of calls) {
      const place = this.#places.size;
      this.#places.set(id, place);
      const parent = parentId === null ? undefined : this.#places.get(parentId);
      if (parentId === null) this.#writer.varint(0);
      else if (parent !== undefined && parent < place) this.#writer.varint(place - parent + 1);
      else {
        this.#writer.varint(1);
        writeId(this.#writer, parentId);
      }
    }
  }

  /** The state, and of the op its place; one that is new follows the first place that is free. */
  #op({ op, kind, state }: SkeletonCall): void {
    const key = JSON.stringify([op, kind]);
    const known = this.#ops.get(key);
    this.#writer.varint((known ?? this.#ops.size) * SKELETON_STATES.length + SKELETON_STATES.indexOf(state));
    if (known !== undefined) return;
    this.#ops.set(key, this.#ops.size);
    this.#writer.text(op);
    this.#writer.text(kind);
  }

  readonly #text = (text: string): void => {
    const known = this.#texts.get(text);
    this.#writer.varint(known ?? this.#texts.size);
    if (known !== undefined) return;
    this.#texts.set(text, this.#texts.size);
    this.#writer.text(text);
  };

  /** 0 where there is none. */
  #optional(value: number | null): void {
    if (value === null) this.#writer.varint(0);
    else this.#writer.varint(1 + (value < 0 ? -2 * value - 1 : 2 * value));
  }

  /** A column that few calls have: how many, then for each how far it is from the last one. */
  #sparse<T>(
    calls: readonly SkeletonCall[],
    valueOf: (call: SkeletonCall) => T | null,
    write: (value: T) => void,
  ): void {
    const found = calls.flatMap((call, index) => {
      const value = valueOf(call);
      return value === null ? [] : [{ index, value }];
    });
    this.#writer.varint(found.length);
    let last = 0;
    for (const { index, value } of found) {
      this.#writer.varint(index - last);
      write(value);
      last = index;
    }
  }
}

/** Tokens are counted by whoever sends them. */
function toCount(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER) : 0;
}
