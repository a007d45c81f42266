import { clearInterval, setInterval } from '../../host/timers.ts';
import type { Spool } from '../../spool/spool.ts';
import type { ServiceClient } from '../transport/service-client.ts';
import type { SpoolDrain } from './spool-drain.ts';

export interface ServiceWatchOptions {
  readonly spool: Spool;
  readonly drain: SpoolDrain;
  /** A service worth trying. */
  readonly find: () => Promise<ServiceClient | undefined>;
  readonly onError: (cause: unknown) => void;
}

const INTERVAL_MS = 2000;

/** Looks for a service as long as something on disk is this process's business, however it came there. */
export class ServiceWatch {
  readonly #options: ServiceWatchOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ServiceWatchOptions) {
    this.#options = options;
  }

  watch(): void {
    this.#timer ??= setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  /** Never rejects. */
  async look(): Promise<void> {
    const { spool, drain, find, onError } = this.#options;
    try {
      const service = await find();
      if (!service) return;
      await drain.drain(service);
      await drain.drainOrphans(service);
      if (spool.isEmpty && !drain.wantsOrphans) this.stop();
    } catch (cause) {
      onError(cause);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
