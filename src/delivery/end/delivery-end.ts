import { performance } from '../../host/clock.ts';
import { setImmediate } from '../../host/timers.ts';
import type { Spool } from '../../spool/spool.ts';
import { batchPost } from '../batch/batch-delivery.ts';
import type { CallLane } from '../call-lane.ts';
import type { ServiceClient, KeptIn } from '../transport/service-client.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { ObjectLane } from '../objects/object-lane.ts';
import { postsOf } from '../objects/object-post.ts';
import type { Route } from '../transport/route.ts';
import type { SpoolDrain } from '../spooled/spool-drain.ts';
import type { BlockingTransport } from '../transport/transport.ts';

export interface DeliveryEndOptions extends Pick<DeliveryOptions, 'openBlockingTransport' | 'onOrphan' | 'run'> {
  readonly calls: CallLane;
  readonly objects: ObjectLane;
  readonly spool: Spool;
  readonly route: Route;
  readonly drain: SpoolDrain;
  readonly onError: (cause: unknown) => void;
}

/** The end of a delivery, and what is recorded after it. */
export class DeliveryEnd {
  readonly #options: DeliveryEndOptions;
  #hasCome = false;
  #isClosed = false;
  #isAllOnDisk = false;
  #release: NodeJS.Immediate | undefined;

  constructor(options: DeliveryEndOptions) {
    this.#options = options;
  }

  get hasCome(): boolean {
    return this.#hasCome;
  }

  /** Where is what does not get through? */
  get keptIn(): KeptIn {
    if (this.#hasCome) return this.#isAllOnDisk ? 'disk' : 'nowhere';
    return this.#options.spool.isWritable ? 'disk' : 'memory';
  }

  /** Synchronously: everything to disk, and from there to the service if that is known to be there, in `deliverMs`. */
  come(deliverMs: number): void {
    const { spool, route } = this.#options;
    const deadline = performance.now() + deliverMs;
    this.#hasCome = true;
    // A short program ends before the breaker has opened and said so.
    const failing = this.#hasRest && route.current?.lastError !== undefined ? route.current : undefined;
    this.#spoolAll();
    if (deliverMs > 0 && (this.#hasRest || !spool.isEmpty)) this.#deliver(deadline);
    // Only now it is known what is on disk, and whether the service has answered after all.
    if (failing?.lastError !== undefined) failing.reportUnreachable();
    this.#dropRest();
    spool.release();
  }

  /** Is something in memory? After all was spooled: what the disk did not take. */
  get #hasRest(): boolean {
    return this.#options.calls.count + this.#options.objects.count > 0;
  }

  #dropRest(): void {
    this.#options.calls.dropAll();
    this.#options.objects.dropAll();
  }

  /** Nothing is delivered any more, though the process may run on for long. */
  close(): void {
    this.come(0);
    this.#isClosed = true;
  }

  /** Keeps what was recorded where nobody sends any more. After `close` others may have it at once. */
  keepLate(): void {
    this.#spoolAll();
    this.#dropRest();
    if (!this.#isClosed || this.#release !== undefined) return;
    this.#release = setImmediate(() => this.#releaseLate()).unref();
  }

  #releaseLate(): void {
    this.#release = undefined;
    this.#options.spool.release();
    this.#options.onOrphan?.();
  }

  /** Records under way included. */
  #spoolAll(): void {
    this.#options.calls.spoolNow({ isEnd: true });
    this.#options.objects.spoolNow({ isEnd: true });
    this.#isAllOnDisk = !this.#hasRest;
  }

  #deliver(deadline: number): void {
    const { route, drain, onError } = this.#options;
    // What is on disk can wait for a service that has failed.
    const service = route.findNow({ isLastChance: this.#hasRest });
    const transport = service && this.#openTransport(service, deadline);
    if (!service || !transport) return;
    try {
      this.#sendRest(service, transport);
      drain.drainNow(service, transport);
    } catch (cause) {
      onError(cause);
    }
    transport.close();
  }

  /** Calls first: what is left when the time is over is lost. */
  #sendRest(service: ServiceClient, transport: BlockingTransport): void {
    const { calls, objects } = this.#options;
    const run = this.#options.run?.text();
    calls.sendNow((batches) =>
      service.deliverNow(
        batches.map((batch) => batchPost(batch, run)),
        transport,
      ),
    );
    objects.sendNow((publication) => {
      for (const post of postsOf(publication)) {
        const [result] = service.deliverNow([post], transport);
        if (result?.kind !== 'accepted') return result ?? { kind: 'unreachable' };
      }
      return { kind: 'accepted' };
    });
  }

  #openTransport({ target }: ServiceClient, deadline: number): BlockingTransport | undefined {
    try {
      return this.#options.openBlockingTransport?.(target, deadline);
    } catch {
      // No thread can be had, as under a permission model: records are on disk, as they are where there is no service.
      return undefined;
    }
  }
}
