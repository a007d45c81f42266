import { performance } from '../host/clock.ts';
import type { Problem } from './options.ts';

const INTERVAL_MS = 60_000;

interface KindState {
  lastAt: number;
  unreported: number;
}

export interface ReporterOptions {
  /** Who is told. @default a line on standard error */
  readonly onError?: ((problem: Problem) => void) | undefined;
  /** Sees all that is told, whoever is told it. */
  readonly keep?: (problem: Problem) => void;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

interface Details {
  readonly subject?: string;
  readonly count?: number;
  readonly cause?: unknown;
}

/** Passes problems on, each kind at most once a minute for each subject, with the count of what happened in between. */
export class Reporter {
  readonly #onError: (problem: Problem) => void;
  readonly #keep: (problem: Problem) => void;
  readonly #now: () => number;
  readonly #kinds = new Map<string, KindState>();

  constructor({ onError = printProblem, keep = () => undefined, now = () => performance.now() }: ReporterOptions = {}) {
    this.#onError = onError;
    this.#keep = keep;
    this.#now = now;
  }

  report(kind: string, message: string, { count = 0, cause, subject }: Details = {}): void {
    const key = `${kind} ${subject ?? ''}`;
    const state = this.#kinds.get(key) ?? { lastAt: Number.NEGATIVE_INFINITY, unreported: 0 };
    this.#kinds.set(key, state);
    state.unreported += count;
    if (this.#now() - state.lastAt < INTERVAL_MS) return;
    const problem = { kind, ...(subject !== undefined && { subject }), message, count: state.unreported, cause };
    state.lastAt = this.#now();
    state.unreported = 0;
    this.#tell(problem);
  }

  /** At once, however short a time ago the last one of the kind was: for what is said once, at the end. */
  reportNow(kind: string, message: string, { count = 0, cause }: Details = {}): void {
    this.#tell({ kind, message, count, cause });
  }

  #tell(problem: Problem): void {
    // Kept first: a handler may end the process.
    for (const listener of [this.#keep, this.#onError]) {
      try {
        listener(problem);
      } catch {
        // Called from inside traced functions and timers: what the user's handler throws must not end the program.
      }
    }
  }
}

/** One line. `console` may be replaced by the application and traced itself. */
function printProblem({ kind, message, count }: Problem): void {
  const hasNumber = kind === 'lost-at-exit';
  process.stderr.write(`spoor: ${oneLine(message)}${count > 1 && !hasNumber ? ` (${count} records)` : ''}\n`);
}

/** Messages quote what services and TLS say, which may have line breaks and what a terminal obeys. */
function oneLine(message: string): string {
  return message.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
