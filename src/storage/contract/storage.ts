import type { CallReader, CallWriter } from './calls.ts';
import type { Capabilities } from './capabilities.ts';
import type { CostStore } from './costs.ts';
import type { FeedbackStore } from './feedback.ts';
import type { FileStore } from './files.ts';
import type { KeyStore } from './keys.ts';
import type { ObjectStore } from './objects.ts';
import type { OverviewReader } from './overviews.ts';
import type { PackedWriter } from './packed.ts';
import type { PolicyStore, RetentionStore } from './retention.ts';
import type { RunStore } from './runs.ts';
import type { TableStore } from './tables.ts';
import type { ThreadReader } from './threads.ts';
import type { ViewStore } from './views.ts';

/**
 * Where a service keeps everything. An engine MUST pass `storageConformance`; MUST and MAY below and in the roles say
 * what any engine owes and what it may leave out.
 *
 * - Everything below a project lives and dies with it; names and ids are unique per project, and any text is a name.
 * - Any number of reads and writes MAY run at once; a caller waits for nothing but its own.
 * - What a read gives is a copy: nobody sees what its caller does with it.
 * - What is refused MUST reject with a `TracingError` of the code that a method names; any other rejection means that
 *   the engine failed, after which the same write MUST be harmless when it comes again.
 */
export interface Storage {
  /** The capabilities of the engine beyond the contract; they MUST NOT change while the storage is open. */
  readonly capabilities: Capabilities;
  readonly calls: CallWriter & CallReader;
  readonly objects: ObjectStore;
  readonly files: FileStore;
  readonly costs: CostStore;
  readonly feedback: FeedbackStore;
  readonly tables: TableStore;
  readonly threads: ThreadReader;
  readonly views: ViewStore;
  /** MAY be absent; calls are then read whole: `overviewsOf` does that for any engine. */
  readonly overviews?: OverviewReader;
  /**
   * MAY be absent, where nothing is won by it.
   * @internal Only threads of this package pack and unpack.
   */
  readonly packed?: PackedWriter;
  /** MAY be absent, where what is old goes by other means, or stays: the service then refuses to be told how long to keep it. */
  readonly retention?: RetentionStore;
  /** MAY be absent: each service then keeps to what it was started with. */
  readonly policy?: PolicyStore;
  /** MAY be absent: calls then belong to no run. */
  readonly runs?: RunStore;
  /** The keys of all services on this storage; MAY be absent, where one service uses it: its data folder has them then. */
  readonly keys?: KeyStore;
  /**
   * Is a work, which two may do without harm, this service's to do, of all that use the storage? Who asks first has it
   * for so many milliseconds, and longer if it asks again, or until it closes the storage. Of two that ask at one moment
   * both MAY have it, until they ask again. MAY be absent, where one service uses it.
   */
  readonly takeLease?: (name: string, ms: number) => Promise<boolean>;
  /**
   * Tells a listener, from then on, of calls that have changed after the writes that brought it had resolved, as where the engine joins what two
   * services have written at one moment. MAY be absent, where no call changes so.
   */
  readonly watchCalls?: (listener: CallsListener) => void;
  /** How busy the writer is; MAY be absent, where the engine has none. */
  readonly writeQueue?: () => WriteQueue;
  /**
   * Resolves when reads that begin then see all writes that had resolved before. MUST be there unless
   * `readYourWrites` is declared; the service waits for it before it answers a write.
   */
  readonly catchUp?: () => Promise<void>;
  /** Resolves when the engine can be read and written, rejects with `unavailable` otherwise. */
  checkHealth(): Promise<void>;
  /** Finishes what was accepted, then releases everything. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Gets the ids of calls of a project; it MUST NOT throw. */
export type CallsListener = (projectId: string, ids: readonly string[]) => void;

/** Writes that wait, and those that were written since the storage was opened. */
export interface WriteQueue {
  readonly waitingCount: number;
  readonly waitingBytes: number;
  /** Writes that were answered. */
  readonly writtenCount: number;
  /** Commits they shared; MAY be absent, where the engine does not count them. */
  readonly groupCount?: number;
}
