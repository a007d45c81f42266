export interface TransportRequest {
  readonly path: string;
  readonly body: Uint8Array;
  /** @default application/json */
  readonly contentType?: string | undefined;
  /** The same for every attempt to deliver the same body. */
  readonly retryId: string;
  /** The run of the calls in it, as `formatRun` writes it. */
  readonly run?: string | undefined;
}

export interface TransportAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Sends a body to one service. Implementations neither retry nor follow redirects: keys go to one address only. */
export interface Transport {
  /** Rejects when no whole answer came: refused, reset, cut, late. */
  post(request: TransportRequest): Promise<TransportAnswer>;
  /** Idempotent; requests under way are given up. */
  close(): void;
}

/** Sends a body while the whole thread waits: the last thing a process does. */
export interface BlockingTransport {
  /** Sends them side by side. For each its answer, or why no whole one came in time. */
  post(requests: readonly TransportRequest[]): (TransportAnswer | Error)[];
  /** Idempotent. */
  close(): void;
}

/** Where and with which key. */
export interface TransportTarget {
  /** Base address of the service; may have a path. */
  readonly url: string;
  readonly apiKey: string | undefined;
}

export type OpenTransport = (target: TransportTarget) => Transport;

/** `deadline` is on the clock of `performance.now()`: no later than that the thread goes on. */
export type OpenBlockingTransport = (target: TransportTarget, deadline: number) => BlockingTransport;
