import type { CallFilter } from '../../protocol/call.ts';
import type { QueryObject } from '../../protocol/query.ts';
import type { CallState } from '../controls/status-sign.tsx';

/** Which calls are meant. */
export interface CallsSelection {
  readonly project_id: string;
  readonly filter?: CallFilter;
  readonly query?: QueryObject;
  /** Inclusive. */
  readonly started_after?: string;
  /** Exclusive. */
  readonly started_before?: string;
  readonly roots_only?: boolean;
}

/** A call as one line of a list. */
export interface CallRow {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly thread_id: string | null;
  /** Short name of the op. */
  readonly op: string;
  readonly op_name: string;
  readonly name: string;
  readonly kind: string;
  readonly state: CallState;
  readonly error: string | null;
  readonly error_type: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly latency_ms: number | null;
  readonly input: string | null;
  readonly output: string | null;
  readonly tokens: number | null;
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly tokens_cached: number | null;
  /** US dollars, with all calls below. */
  readonly cost: number | null;
  readonly unpriced_models: readonly string[];
  readonly model: string | null;
  readonly models: readonly string[];
  readonly feedback: number;
}

export interface RowsAnswer {
  readonly rows: readonly CallRow[];
  readonly next_cursor: string | null;
}

export interface Histogram {
  readonly from: string;
  readonly to: string;
  readonly bucket_ms: number;
  readonly counts: readonly number[];
  readonly errors: readonly number[];
}

export interface Facet {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly other: number;
  readonly distinct: number;
}

export interface CallsStats {
  readonly count: number;
  readonly errors: number;
  readonly running: number;
  readonly never_ended: number;
  readonly latency_ms: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly total: number };
  readonly cost: number | null;
  readonly unpriced_models: readonly string[];
  readonly first_started_at: string | null;
  readonly last_started_at: string | null;
  readonly histogram?: Histogram;
  readonly facets?: readonly Facet[];
}

export interface Session {
  readonly user_id: string;
  readonly entities: readonly string[] | null;
  readonly version: string;
  readonly url: string;
  readonly started_at: string;
}

export interface Project {
  readonly project_id: string;
  readonly calls: number;
  readonly errors: number;
  readonly last_started_at: string | null;
}

export interface View {
  readonly id: string;
  readonly name: string;
  /** Query string of the page. */
  readonly query: string;
  readonly columns: readonly string[];
}

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly last_seen_at: string;
  readonly is_connected: boolean;
  readonly missing: number | null;
  readonly last_error: {
    readonly status: number;
    readonly error_code: string;
    readonly message: string;
    readonly at: string;
  } | null;
}
