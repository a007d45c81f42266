/** How a thing looks to a reader, as text; null when it is not there. */
export type State = string | null;

/** What one request does to the things it names, if it does anything: all of it or nothing. */
export type Changes = ReadonlyMap<string, State>;

/** How a request without an answer turned out: `same` when no reader could tell. */
export type Outcome = 'done' | 'not done' | 'same';

/**
 * What one writer knows of its own things: how each looks after the last acknowledged request, and the one request
 * that was on its way when the service was killed. It is kept here and nowhere in the service.
 */
export class Ledger {
  readonly #states = new Map<string, State>();
  #inFlight: Changes | undefined;

  get keys(): readonly string[] {
    return [...new Set([...this.#states.keys(), ...(this.#inFlight?.keys() ?? [])])];
  }

  /** Things that are there, by the beginning of their keys. */
  present(prefix: string): string[] {
    return [...this.#states].filter(([key, state]) => state !== null && key.startsWith(prefix)).map(([key]) => key);
  }

  get(key: string): State {
    return this.#states.get(key) ?? null;
  }

  begin(changes: Changes): void {
    this.#inFlight = changes;
  }

  acknowledge(): void {
    for (const [key, state] of this.#inFlight ?? []) this.#states.set(key, state);
    this.#inFlight = undefined;
  }

  /** The service has said that it did nothing. */
  refuse(): void {
    this.#inFlight = undefined;
  }

  /** Compares with what a reader sees after the restart, and goes on from there. */
  settle(seen: ReadonlyMap<string, string>): { readonly problems: string[]; readonly outcome?: Outcome } {
    const outcome = this.#inFlight && this.#outcome(this.#inFlight, seen);
    if (outcome === 'half') {
      return { problems: [`half of a request was done: ${[...(this.#inFlight?.keys() ?? [])].join(', ')}`] };
    }
    if (outcome === 'done') this.acknowledge();
    else this.refuse();
    const wrong = [...this.#states].filter(([key, state]) => (seen.get(key) ?? null) !== state);
    const problems = wrong.map(([key, state]) => `${key} is ${shown(seen.get(key) ?? null)} and not ${shown(state)}`);
    return { problems, ...(outcome !== undefined && { outcome }) };
  }

  #outcome(changes: Changes, seen: ReadonlyMap<string, string>): Outcome | 'half' {
    const changed = [...changes].filter(([key, state]) => this.get(key) !== state);
    if (changed.length === 0) return 'same';
    const done = changed.filter(([key, state]) => (seen.get(key) ?? null) === state);
    if (done.length === changed.length) return 'done';
    // What is neither before nor after is found by the comparison that follows.
    return done.length === 0 ? 'not done' : 'half';
  }
}

function shown(state: State): string {
  return state === null ? 'absent' : state.slice(0, 200);
}
