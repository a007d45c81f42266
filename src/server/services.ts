import type { Logger } from 'pino';
import type { Limits } from '../protocol/limits.ts';
import type { Storage } from '../storage/contract/storage.ts';
import type { BodyBudget } from './http/body/body-budget.ts';
import type { Connections } from './http/connections.ts';
import type { CostCounts } from './metrics/cost-counts.ts';
import type { Keys } from './keys/key-ring.ts';
import type { SpoolDamage } from './ingest/import-orphaned-segments.ts';
import type { RunNotes } from './ingest/run-notes.ts';
import type { LargeBodies } from './ingest/large/large-bodies.ts';
import type { DefaultPrices } from './query/read/price.ts';
import type { RateLimiter } from './keys/rate-limiter.ts';
import type { Refusals } from './keys/refusals.ts';
import type { RemovedCounts } from './retention.ts';
import type { StreamSlots } from './http/stream-slots.ts';
import type { CallChanges } from './page/call-changes.ts';
import type { ClientLedger } from './page/client-ledger.ts';
import type { Editor } from './page/editor/editor.ts';
import type { PageFiles } from './page/page-files.ts';
import type { Sessions } from './page/sessions.ts';
import type { Traffic } from './metrics/traffic.ts';

/** The parts of the service that the routes work with. */
export interface Services {
  readonly storage: Storage;
  readonly keys: Keys;
  readonly limits: Limits;
  /** Requests with large bodies. */
  readonly bodies: LargeBodies;
  readonly bodyBudget: BodyBudget;
  readonly logger: Logger;
  readonly streams: StreamSlots;
  readonly traffic: Traffic;
  readonly connections: Connections;
  /** Counts of what retention has removed. */
  readonly removed: RemovedCounts;
  /** Segments and records that programs left on disk and that could not be read. */
  readonly spoolDamage: SpoolDamage;
  /** Prices that no project stores. */
  readonly defaultPrices: DefaultPrices;
  /** Counts of what calls have cost. */
  readonly costCounts: CostCounts;
  /** Absent: keys may ask as often as they like. */
  readonly rates?: RateLimiter | undefined;
  /** Those who ask without a valid key. */
  readonly refusals: Refusals;
  /** Who is logged in with a browser. */
  readonly sessions: Sessions;
  readonly pageFiles: PageFiles;
  /** Absent: no file is opened for anybody. */
  readonly editor?: Editor | undefined;
  /** The programs that send calls, and what they have sent. */
  readonly clients: ClientLedger;
  /** Runs of processes, as far as these have told of them. */
  readonly runNotes: RunNotes;
  /** The calls that have changed lately. */
  readonly changes: CallChanges;
  /** The beginning of every path; empty: none. */
  readonly basePath: string;
  /** OpenTelemetry exporters may send their key in a header of its own, natively too. */
  readonly otlpKeyHeader: boolean;
  /** `/health` needs no key. */
  readonly openHealth: boolean;
  /** `/metrics` needs no key. */
  readonly openMetrics: boolean;
  /** Aborted as soon as the service is told to stop. */
  readonly stopping: AbortSignal;
  /** Requests must name this machine in their `Host` header. */
  readonly isLoopbackOnly: boolean;
  /** Pages of these origins may use the service. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose word on the address of a client counts, or all. */
  readonly trustProxy: readonly string[] | boolean;
}
