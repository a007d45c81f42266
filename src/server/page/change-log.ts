import { randomBytes } from 'node:crypto';

/** Changes that a reader who comes back can still be told of, in each project. */
export const MAX_KEPT_CHANGES = 16_384;

/** Changed of a call: itself, or the feedback on it. */
export type ChangeKind = 'call' | 'feedback';

/** Changes after a place in the log. */
export interface ChangesSince {
  /** Calls that changed, each once, in the order of their last change. */
  readonly ids: readonly string[];
  /** Calls whose feedback changed, as well in that order. */
  readonly feedback: readonly string[];
  readonly position: number;
  /** Changes that are kept no more. */
  readonly missed: number;
}

/**
 * The last changes of the calls of a project, as their ids. Readers have places in it and nothing of their own: one who is
 * slow costs nothing, and learns how much went by.
 */
export class ChangeLog {
  /** Places of another log mean nothing in this one. */
  readonly #epoch = randomBytes(6).toString('base64url');
  readonly #ids: string[] = [];
  readonly #kinds: ChangeKind[] = [];
  readonly #listeners = new Set<() => void>();
  /** Changes so far. */
  #end = 0;

  get end(): number {
    return this.#end;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  add(id: string, kind: ChangeKind = 'call'): void {
    this.#ids[this.#end % MAX_KEPT_CHANGES] = id;
    this.#kinds[this.#end % MAX_KEPT_CHANGES] = kind;
    this.#end += 1;
    for (const listener of this.#listeners) listener();
  }

  /** At most so many calls that changed after a place. */
  since(position: number, most: number): ChangesSince {
    const start = Math.max(position, this.#end - MAX_KEPT_CHANGES);
    const ids = { call: new Set<string>(), feedback: new Set<string>() };
    let at = start;
    for (; at < this.#end && ids.call.size + ids.feedback.size < most; at++) {
      const id = this.#ids[at % MAX_KEPT_CHANGES] ?? '';
      const same = ids[this.#kinds[at % MAX_KEPT_CHANGES] ?? 'call'];
      same.delete(id);
      same.add(id);
    }
    return { ids: [...ids.call], feedback: [...ids.feedback], position: at, missed: start - position };
  }

  /** Calls the listener with every change until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  cursorAt(position: number): string {
    return `${this.#epoch}.${position}`;
  }

  /** The place that a cursor names; undefined where that is none of this log. */
  positionOf(cursor: string): number | undefined {
    const [epoch, text = ''] = cursor.split('.', 2);
    const position = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return epoch === this.#epoch && position <= this.#end ? position : undefined;
  }
}
