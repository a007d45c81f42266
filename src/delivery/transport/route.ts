import { performance } from '../../host/clock.ts';
import { Connection, type KeptIn } from './service-connection.ts';
import type { Report } from '../problem.ts';
import type { OpenTransport, TransportTarget } from './transport.ts';

export interface RouteOptions {
  /** Where to send now. Cheap, but it may read a file. */
  readonly resolveTarget: () => TransportTarget | undefined;
  readonly openTransport: OpenTransport;
  readonly report: Report;
  readonly random?: () => number;
  readonly keptIn: () => KeptIn;
}

/** How long an answer of `resolveTarget` is believed. */
const RESOLVE_INTERVAL_MS = 2000;
/** Who has said nothing for so long will hardly do so in the time that the end of a process has. */
const MAX_SILENCE_MS = 2000;

/** Finds the service, also one that starts, moves or ends while the program runs. */
export class Route {
  readonly #options: RouteOptions;
  #connection: Connection | undefined;
  #resolvedAt = Number.NEGATIVE_INFINITY;
  #probe: Promise<boolean> | undefined;

  constructor(options: RouteOptions) {
    this.#options = options;
  }

  /** The connection in use, working or not. */
  get current(): Connection | undefined {
    return this.#connection;
  }

  /**
   * A connection worth trying, or `undefined`. When somebody waits (`isUrgent`) the address is looked up anew and a
   * service that failed is asked again at once.
   */
  async find({ isUrgent = false } = {}): Promise<Connection | undefined> {
    this.#refresh(isUrgent);
    const connection = this.#connection;
    if (connection?.breaker.isOpen && (isUrgent || connection.breaker.isProbeDue)) {
      this.#probe ??= connection.probe().finally(() => {
        this.#probe = undefined;
      });
      await this.#probe;
    }
    return connection?.isUsable ? connection : undefined;
  }

  /**
   * The service for who cannot wait, looked up where nobody has. One that does not answer as it should is worth the time
   * only when it is the last chance of what would be sent.
   */
  findNow({ isLastChance = false } = {}): Connection | undefined {
    if (!this.#connection) this.#refresh(true);
    const connection = this.#connection;
    if (!connection?.isUsable) return undefined;
    const isWell = connection.lastError === undefined && connection.silentMs <= MAX_SILENCE_MS;
    return isWell || isLastChance ? connection : undefined;
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #refresh(isUrgent: boolean): void {
    const now = performance.now();
    if (!isUrgent && now - this.#resolvedAt < RESOLVE_INTERVAL_MS) return;
    this.#resolvedAt = now;
    const target = this.#options.resolveTarget();
    if (isSame(target, this.#connection?.target)) return;
    this.#connection?.close();
    this.#connection = target && this.#open(target);
  }

  #open(target: TransportTarget): Connection {
    const { openTransport, report, random, keptIn } = this.#options;
    const isServiceThere = () => this.#isStillAt(target);
    return new Connection({ target, openTransport, report, isServiceThere, keptIn, ...(random ? { random } : {}) });
  }

  /** Forgets the address when the service has left it, so that the next search starts afresh. */
  #isStillAt(target: TransportTarget): boolean {
    if (isSame(this.#options.resolveTarget(), target)) return true;
    this.#resolvedAt = Number.NEGATIVE_INFINITY;
    if (this.#connection?.target !== target) return false;
    this.#connection.retire();
    this.#connection = undefined;
    return false;
  }
}

function isSame(one: TransportTarget | undefined, other: TransportTarget | undefined): boolean {
  return one?.url === other?.url && one?.apiKey === other?.apiKey;
}
