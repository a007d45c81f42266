/** Moves records on until none is due. */
export interface Pump {
  /** Of what there is to move. */
  readonly count: number;
  pump(): Promise<void>;
}

export interface PumpEvents {
  /** One has come to its end. */
  readonly onRest: () => void;
  /** One has failed; what it was to move is where it was. */
  readonly onError: (cause: unknown) => void;
}

/** Several pumps side by side, each of them running at most once: calls must not wait until large files are on their way. */
export class Pumps {
  readonly #pumps: readonly Pump[];
  readonly #events: PumpEvents;
  readonly #running = new Map<Pump, Promise<void>>();

  constructor(pumps: readonly Pump[], events: PumpEvents) {
    this.#pumps = pumps;
    this.#events = events;
  }

  /** Lets those run that do not. One may run for as long as a service is silent, so nothing is kept for this. */
  start(): void {
    for (const pump of this.#pumps) {
      if (pump.count > 0 && !this.#running.has(pump)) void this.#run(pump);
    }
  }

  /** Resolves when all that is due has been moved on. Never rejects. */
  async run(): Promise<void> {
    // Those that run may have passed what became due since.
    await Promise.all(this.#running.values());
    const pumps = this.#pumps.filter(({ count }) => count > 0);
    await Promise.all(pumps.map((pump) => this.#running.get(pump) ?? this.#run(pump)));
  }

  #run(pump: Pump): Promise<void> {
    const running = this.#runOnce(pump);
    this.#running.set(pump, running);
    return running;
  }

  async #runOnce(pump: Pump): Promise<void> {
    try {
      await pump.pump();
    } catch (cause) {
      this.#events.onError(cause);
    } finally {
      this.#running.delete(pump);
    }
    this.#events.onRest();
  }
}
