import { TracingError, type ValidationDetail } from '../../../protocol/error.ts';

/** A longer list helps nobody and would let a small request make a large answer. */
const MAX_DETAILS = 100;

/** An error in items that a batch could do without; `detail` names each, so that it can be left out. */
export class BatchItemError extends TracingError {
  override get status(): number {
    return 422;
  }
}

/**
 * Collects what single items of a batch are refused for. Clients split a batch that is answered with 422 and drop it
 * whole for any other refusal, so a bad item must not be one of those.
 */
export class ItemProblems {
  readonly #details: ValidationDetail[] = [];
  #first: TracingError | undefined;

  /** Keeps the error of an item that stands at `place` in the body; what is not the fault of the item is thrown. */
  add(error: unknown, place: readonly (string | number)[]): void {
    if (!isFaultOfItem(error)) throw error;
    this.#first ??= error;
    const field = error.field === undefined ? [] : [error.field];
    this.#details.push({ loc: ['body', ...place, ...field], msg: error.message, type: error.code });
    if (this.#details.length === MAX_DETAILS) this.throwAny();
  }

  /** Throws where there is a problem: then nothing of the batch may be written. */
  throwAny(): void {
    if (this.#first === undefined) return;
    const { code, message } = this.#first;
    throw new BatchItemError(code, message, { cause: this.#first, extra: { detail: this.#details } });
  }
}

/** A key that may not write a project, or a service that cannot write, is no fault of the item. */
function isFaultOfItem(error: unknown): error is TracingError {
  return error instanceof TracingError && ITEM_STATUSES.has(error.status);
}

const ITEM_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 413, 422]);

/** Says of what `check` refuses that it stands in this field. */
export function inField<Result>(field: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TracingError) || error.field !== undefined) throw error;
    throw new TracingError(error.code, error.message, { cause: error, extra: error.extra, field });
  }
}
