import type { Connection, Row } from '../connection.ts';

/** Rows of one insert. */
const MAX_ROWS = 10_000;

interface Waiting {
  readonly row: Row;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Inserts single rows: those that come while others are on their way go together, as each insert makes a part of its own. */
export class TogetherInserts {
  readonly #connection: Connection;
  readonly #table: string;
  #waiting: Waiting[] = [];
  #isBusy = false;

  constructor(connection: Connection, table: string) {
    this.#connection = connection;
    this.#table = table;
  }

  /** Resolves when the row is stored. */
  insert(row: Row): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, resolve, reject });
      if (!this.#isBusy) void this.#insertAll();
    });
  }

  async #insertAll(): Promise<void> {
    this.#isBusy = true;
    for (let some = this.#take(); some.length > 0; some = this.#take()) {
      try {
        await this.#connection.insert(
          this.#table,
          some.map(({ row }) => row),
        );
        for (const { resolve } of some) resolve();
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.#isBusy = false;
  }

  #take(): Waiting[] {
    return this.#waiting.splice(0, MAX_ROWS);
  }
}
