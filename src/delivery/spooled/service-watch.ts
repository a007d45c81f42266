import { clearInterval, setInterval } from '../../host/timers.ts';
import type { Spool } from '../../spool/spool.ts';
import type { Connection } from '../transport/service-connection.ts';
import type { SpoolDrain } from './spool-drain.ts';

export interface RecoveryOptions {
  readonly spool: Spool;
  readonly drain: SpoolDrain;
  /** A connection worth trying. */
  readonly find: () => Promise<Connection | undefined>;
  readonly onError: (cause: unknown) => void;
}

const INTERVAL_MS = 2000;

/** Looks for a service as long as something on disk is this process's business, however it came there. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  watch(): void {
    this.#timer ??= setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  /** Never rejects. */
  async look(): Promise<void> {
    const { spool, drain, find, onError } = this.#options;
    try {
      const connection = await find();
      if (!connection) return;
      await drain.drain(connection);
      await drain.drainLeftOvers(connection);
      if (spool.isEmpty && !drain.wantsLeftOvers) this.stop();
    } catch (cause) {
      onError(cause);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
