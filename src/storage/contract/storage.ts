import type { CallReader, CallWriter } from './calls.ts';
import type { Capabilities } from './capabilities.ts';
import type { CostStore } from './costs.ts';
import type { FeedbackStore } from './feedback.ts';
import type { FileStore } from './files.ts';
import type { ObjectStore } from './objects.ts';
import type { OverviewReader } from './overviews.ts';
import type { PackedWriter } from './packed.ts';
import type { RetentionStore } from './retention.ts';
import type { TableStore } from './tables.ts';
import type { ThreadReader } from './threads.ts';
import type { ViewStore } from './views.ts';

/** Everything below a project lives and dies with it; names and ids are unique per project. */
export interface Storage {
  readonly capabilities: Capabilities;
  readonly calls: CallWriter & CallReader;
  readonly objects: ObjectStore;
  readonly files: FileStore;
  readonly costs: CostStore;
  readonly feedback: FeedbackStore;
  readonly tables: TableStore;
  readonly threads: ThreadReader;
  readonly views: ViewStore;
  /** Absent where calls have to be read whole: `overviewsOf` does that for any engine. */
  readonly overviews?: OverviewReader;
  /** Absent where nothing is won by it. */
  readonly packed?: PackedWriter;
  /** Absent where what is old goes by other means, or stays. */
  readonly retention?: RetentionStore;
  /** How busy the writer is; absent where the engine has none. */
  readonly writeQueue?: () => WriteQueue;
  /** Resolves when the engine can be read and written, rejects with `unavailable` otherwise. */
  checkHealth(): Promise<void>;
  /** Finishes what was accepted, then releases everything. Calling it again does nothing. */
  close(): Promise<void>;
}

/** What waits to be written, and what was written since the storage was opened. */
export interface WriteQueue {
  readonly waitingCount: number;
  readonly waitingBytes: number;
  /** Writes that were answered. */
  readonly writtenCount: number;
  /** Commits they shared. */
  readonly groupCount: number;
}
