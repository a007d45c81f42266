import type { Problem } from './options.ts';

const INTERVAL_MS = 60_000;

interface KindState {
  lastAt: number;
  unreported: number;
}

/** Passes problems on, each kind at most once a minute, with the count of what happened in between. */
export class Reporter {
  readonly #onError: (problem: Problem) => void;
  readonly #now: () => number;
  readonly #kinds = new Map<string, KindState>();

  constructor(onError: ((problem: Problem) => void) | undefined, now: () => number = () => performance.now()) {
    this.#onError = onError ?? printProblem;
    this.#now = now;
  }

  report(kind: string, message: string, { count = 0, cause }: { count?: number; cause?: unknown } = {}): void {
    const state = this.#kinds.get(kind) ?? { lastAt: Number.NEGATIVE_INFINITY, unreported: 0 };
    this.#kinds.set(kind, state);
    state.unreported += count;
    if (this.#now() - state.lastAt < INTERVAL_MS) return;
    const problem = { kind, message, count: state.unreported, cause };
    state.lastAt = this.#now();
    state.unreported = 0;
    this.#tell(problem);
  }

  #tell(problem: Problem): void {
    try {
      this.#onError(problem);
    } catch {
      // Called from inside traced functions and timers: what the user's handler throws must not end the program.
    }
  }
}

/** One line. `console` may be replaced by the application and traced itself. */
function printProblem({ message, count }: Problem): void {
  process.stderr.write(`spoor: ${oneLine(message)}${count > 1 ? ` (${count} records)` : ''}\n`);
}

/** Messages quote what services and TLS say, which may have line breaks and what a terminal obeys. */
function oneLine(message: string): string {
  return message.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
