import type { ErrorCode } from '../../protocol/error.ts';

/** Upper ends of the buckets that durations are counted in, in seconds. */
export const DURATION_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

/** The kind under which a request is counted; all of it from short lists, whatever clients send. */
export interface RequestKind {
  readonly method: string;
  /** Pattern of the route, or `unknown`. */
  readonly endpoint: string;
  /** Status of the answer, or `none` where the client left before there was one. */
  readonly status: string;
}

export interface RequestCount extends RequestKind {
  count: number;
}

export interface DurationCount extends Omit<RequestKind, 'status'> {
  /** One for every bucket, and one for what is longer. */
  readonly counts: number[];
  seconds: number;
}

/** Methods that are told apart. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'HEAD', 'OPTIONS']);

/** Counts what the service has done since it started. It costs a request next to nothing; `/metrics` shows it. */
export class Traffic {
  readonly #requests = new Map<string, RequestCount>();
  readonly #durations = new Map<string, DurationCount>();
  readonly #errors = new Map<ErrorCode, number>();
  #inFlight = 0;

  get requests(): Iterable<RequestCount> {
    return this.#requests.values();
  }

  get durations(): Iterable<DurationCount> {
    return this.#durations.values();
  }

  get errors(): Iterable<[ErrorCode, number]> {
    return this.#errors;
  }

  /** Requests that have come and are not answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** A request has come; the function is to be called once, when it is over. */
  begin(): (kind: RequestKind, errorCode: ErrorCode | undefined) => void {
    const startedAt = performance.now();
    this.#inFlight += 1;
    return (kind, errorCode) => {
      this.#inFlight -= 1;
      this.#count(kind, errorCode, (performance.now() - startedAt) / 1000);
    };
  }

  #count({ method: sent, endpoint, status }: RequestKind, errorCode: ErrorCode | undefined, seconds: number): void {
    const method = METHODS.has(sent) ? sent : 'other';
    if (errorCode !== undefined) this.#errors.set(errorCode, (this.#errors.get(errorCode) ?? 0) + 1);
    const duration = entryOf(this.#durations, `${method} ${endpoint}`, () => newDuration(method, endpoint));
    const bucket = DURATION_BUCKETS.findIndex((end) => seconds <= end);
    const index = bucket < 0 ? DURATION_BUCKETS.length : bucket;
    duration.counts[index] = (duration.counts[index] ?? 0) + 1;
    duration.seconds += seconds;
    const request = { method, endpoint, status, count: 0 };
    entryOf(this.#requests, `${method} ${endpoint} ${status}`, () => request).count += 1;
  }
}

function newDuration(method: string, endpoint: string): DurationCount {
  return { method, endpoint, counts: Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0), seconds: 0 };
}

function entryOf<Entry>(entries: Map<string, Entry>, key: string, make: () => Entry): Entry {
  const known = entries.get(key);
  if (known) return known;
  const made = make();
  entries.set(key, made);
  return made;
}
