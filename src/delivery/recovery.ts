import type { Spool } from '../spool/spool.ts';
import type { Connection } from './connection.ts';

export interface RecoveryOptions {
  readonly spool: Spool;
  /** A connection worth trying. */
  readonly find: () => Promise<Connection | undefined>;
  readonly drain: (connection: Connection) => Promise<void>;
  readonly onError: (cause: unknown) => void;
}

const INTERVAL_MS = 2000;

/** Looks for a service as long as this process has records on disk, however they came there. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  watch(): void {
    this.#timer ??= setInterval(() => void this.now(), INTERVAL_MS).unref();
  }

  /** Never rejects. */
  async now(): Promise<void> {
    const { spool, find, drain, onError } = this.#options;
    try {
      const connection = await find();
      if (connection) await drain(connection);
      if (spool.isEmpty) this.stop();
    } catch (cause) {
      onError(cause);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
