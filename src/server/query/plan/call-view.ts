import type { CallsStreamQueryRequest } from '../../../protocol/call.ts';

/** The parts of each call that a reader wants. */
export interface CallView {
  /** Top-level fields that are shown; absent: all. */
  readonly columns?: ReadonlySet<string>;
  /** Adds the list of feedback to the summary. */
  readonly withFeedback: boolean;
  /** Adds costs to the summary. */
  readonly withCosts: boolean;
  readonly withOwnSize: boolean;
  /** Sizes of whole traces, on their roots. */
  readonly withTraceSize: boolean;
}

/** The parts of a request that say so. */
export type ViewRequest = Pick<
  CallsStreamQueryRequest,
  'columns' | 'include_costs' | 'include_feedback' | 'include_storage_size' | 'include_total_storage_size'
>;

/** Reads what a request wants of each call; a dotted column shows its field whole. */
export function viewOf(request: ViewRequest): CallView {
  const columns = request.columns ?? [];
  return {
    withFeedback: request.include_feedback === true,
    withCosts: request.include_costs === true,
    withOwnSize: request.include_storage_size === true,
    withTraceSize: request.include_total_storage_size === true,
    ...(columns.length > 0 && { columns: new Set(columns.map((path) => path.split('.', 1)[0] ?? path)) }),
  };
}

/** All that is stored of a call, and nothing that is found out about it. */
export const STORED_CALL: CallView = viewOf({});

/** Is a field shown? The summary is, whatever the columns say, where something was asked for that stands in it. */
export function isShown(name: string, { columns, withFeedback, withCosts }: CallView): boolean {
  return columns === undefined || columns.has(name) || (name === 'summary' && (withFeedback || withCosts));
}
