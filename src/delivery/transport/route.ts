import { performance } from '../../host/clock.ts';
import { ServiceClient, type KeptIn } from './service-client.ts';
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
  #service: ServiceClient | undefined;
  #resolvedAt = Number.NEGATIVE_INFINITY;
  #probe: Promise<boolean> | undefined;

  constructor(options: RouteOptions) {
    this.#options = options;
  }

  /** The service in use, working or not. */
  get current(): ServiceClient | undefined {
    return this.#service;
  }

  /**
   * A service worth trying, or `undefined`. When somebody waits (`isUrgent`) the address is looked up anew and a
   * service that failed is asked again at once.
   */
  async find({ isUrgent = false } = {}): Promise<ServiceClient | undefined> {
    this.#refresh(isUrgent);
    const service = this.#service;
    if (service?.breaker.isOpen && (isUrgent || service.breaker.isProbeDue)) {
      this.#probe ??= service.probe().finally(() => {
        this.#probe = undefined;
      });
      await this.#probe;
    }
    return service?.isUsable ? service : undefined;
  }

  /**
   * The service for who cannot wait, looked up where nobody has. One that does not answer as it should is worth the time
   * only when it is the last chance of what would be sent.
   */
  findNow({ isLastChance = false } = {}): ServiceClient | undefined {
    if (!this.#service) this.#refresh(true);
    const service = this.#service;
    if (!service?.isUsable) return undefined;
    const isWell = service.lastError === undefined && service.silentMs <= MAX_SILENCE_MS;
    return isWell || isLastChance ? service : undefined;
  }

  close(): void {
    this.#service?.close();
    this.#service = undefined;
  }

  #refresh(isUrgent: boolean): void {
    const now = performance.now();
    if (!isUrgent && now - this.#resolvedAt < RESOLVE_INTERVAL_MS) return;
    this.#resolvedAt = now;
    const target = this.#options.resolveTarget();
    if (isSame(target, this.#service?.target)) return;
    this.#service?.close();
    this.#service = target && this.#open(target);
  }

  #open(target: TransportTarget): ServiceClient {
    const { openTransport, report, random, keptIn } = this.#options;
    const isServiceThere = () => this.#isStillAt(target);
    return new ServiceClient({ target, openTransport, report, isServiceThere, keptIn, ...(random ? { random } : {}) });
  }

  /** Forgets the address when the service has left it, so that the next search starts afresh. */
  #isStillAt(target: TransportTarget): boolean {
    if (isSame(this.#options.resolveTarget(), target)) return true;
    this.#resolvedAt = Number.NEGATIVE_INFINITY;
    if (this.#service?.target !== target) return false;
    this.#service.retire();
    this.#service = undefined;
    return false;
  }
}

function isSame(one: TransportTarget | undefined, other: TransportTarget | undefined): boolean {
  return one?.url === other?.url && one?.apiKey === other?.apiKey;
}
