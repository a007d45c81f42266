import type { JsonValue } from '../../protocol/values/canonical-json.ts';

/** Text columns; `status` and `trace_name` are computed from others. */
export type TextColumn =
  | 'id'
  | 'project_id'
  | 'op_name'
  | 'display_name'
  | 'trace_id'
  | 'parent_id'
  | 'thread_id'
  | 'turn_id'
  | 'exception'
  | 'svc_user_id'
  | 'svc_run_id'
  | 'process_run'
  | 'status'
  | 'trace_name';

/** Microseconds since 1970. `deleted_at` of a visible call is always NULL. */
export type TimeColumn = 'started_at' | 'ended_at' | 'deleted_at';

/** `latency_ms` is computed. */
export type IntegerColumn = 'svc_run_step' | 'svc_run_step_end' | 'latency_ms';

export type JsonColumn = 'attributes' | 'inputs' | 'output' | 'summary';

/** The parts of feedback that queries can ask for; the references are texts. */
export type FeedbackColumn = 'payload' | 'runnable_ref' | 'trigger_ref';

/** Type of feedback; null is any type. */
export type FeedbackType = string | null;

/**
 * A value of the feedback on a call, which may be several. In a condition it is the one that a `some` around it is at,
 * in an order the most recent one of the type.
 */
export interface FeedbackField {
  readonly kind: 'feedback';
  readonly type: FeedbackType;
  readonly column: FeedbackColumn;
  /** Empty but for payloads. */
  readonly path: readonly string[];
}

/** A value of one call. A missing path and JSON null are both NULL. */
export type Field =
  | FeedbackField
  | { readonly kind: 'text'; readonly column: TextColumn }
  | { readonly kind: 'time'; readonly column: TimeColumn }
  | { readonly kind: 'integer'; readonly column: IntegerColumn }
  /** A decimal part indexes an array where the value is one, otherwise it names a member. */
  | { readonly kind: 'json'; readonly column: JsonColumn; readonly path: readonly string[] };

/** A value of one record of any kind; `Field` names those of calls. */
export type RecordField =
  | FeedbackField
  | { readonly kind: 'text'; readonly column: string }
  | { readonly kind: 'time'; readonly column: string }
  | { readonly kind: 'integer'; readonly column: string }
  | { readonly kind: 'json'; readonly column: string; readonly path: readonly string[] };

export type ConvertTarget = 'int' | 'double' | 'string' | 'bool' | 'exists';

export type Operand<F extends RecordField = Field> =
  | F
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | Computed<F>
  /** A value that a `let` around it has computed. */
  | { readonly kind: 'bound'; readonly name: string };

/** An operand that can contain others. */
export type Computed<F extends RecordField = Field> =
  | { readonly kind: 'convert'; readonly to: ConvertTarget; readonly input: Operand<F> }
  /** A condition used as a value: boolean or NULL. */
  | { readonly kind: 'condition'; readonly condition: Condition<F> };

/** A value with a name, which no other of the plan has. */
export interface BoundValue<F extends RecordField = Field> {
  readonly name: string;
  readonly operand: Computed<F>;
}

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** Three-valued: TRUE, FALSE or NULL. A call is kept when its condition is TRUE. */
export type Condition<F extends RecordField = Field> =
  | { readonly kind: 'constant'; readonly value: boolean | null }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition<F>[] }
  | { readonly kind: 'not'; readonly condition: Condition<F> }
  /**
   * TRUE where the condition is TRUE for some feedback of the type on the call, else NULL where it is NULL for one,
   * else FALSE; `whenNone` where the call has no feedback of the type.
   */
  | {
      readonly kind: 'some';
      readonly type: FeedbackType;
      readonly condition: Condition<F>;
      readonly whenNone: null | false;
    }
  | { readonly kind: 'isNull'; readonly operand: Operand<F> }
  /**
   * Never of two literals. A literal stands on the right and has the type of a column on the left: text beside
   * text, microseconds beside a time, a number beside an integer. A time beside anything else but a time or a
   * literal stands on the left and compares by its text.
   */
  | {
      readonly kind: 'compare';
      readonly operator: ComparisonOperator;
      readonly left: Operand<F>;
      readonly right: Operand<F>;
    }
  /** Literals only, none of them null, in the type of the operand as above; the operand is no literal. */
  | { readonly kind: 'in'; readonly operand: Operand<F>; readonly items: readonly Operand<F>[] }
  | {
      readonly kind: 'contains' | 'containsToken';
      readonly input: Operand<F>;
      readonly substr: Operand<F>;
      readonly isCaseSensitive: boolean;
    }
  /**
   * A condition that looks at values by their names. Each is computed once, where the `let` stands: what stands in a
   * plan twice, or is computed for each feedback, doubles the work at every level of a query.
   */
  | { readonly kind: 'let'; readonly values: readonly BoundValue<F>[]; readonly condition: Condition<F> }
  /** An operand used as a condition: true for boolean true and non-zero numbers, NULL for what is neither. */
  | { readonly kind: 'truth'; readonly operand: Operand<F> };

/** Equality with any entry; a `prefix` entry matches what starts with it. */
export interface TextMatch {
  readonly values: readonly string[];
  readonly prefixes: readonly string[];
}

/** The filter of a request: all given keys are ANDed. Lists here are never empty. */
export interface CallFilterPlan {
  readonly opNames?: TextMatch;
  readonly inputRefs?: TextMatch;
  readonly outputRefs?: TextMatch;
  readonly parentIds?: readonly string[];
  readonly traceIds?: readonly string[];
  readonly callIds?: readonly string[];
  readonly threadIds?: readonly string[];
  readonly turnIds?: readonly string[];
  readonly userIds?: readonly string[];
  readonly runIds?: readonly string[];
  readonly rootsOnly?: true;
}

export interface CallSelection {
  readonly projectId: string;
  readonly filter: CallFilterPlan;
  readonly condition?: Condition;
}

/** Order of protocol 7.6: NULL last in both directions; of JSON values numbers before texts. */
export interface SortKey<F extends RecordField = Field> {
  readonly field: F;
  readonly isDescending: boolean;
}

export interface CallPlan extends CallSelection {
  /** Never empty; ends in `id`, so that there is one order only. */
  readonly sort: readonly SortKey[];
  /** Absent: all. */
  readonly limit?: number;
  readonly offset: number;
  /** Bodies to read; the others come as null. */
  readonly bodies: ReadonlySet<JsonColumn>;
}

/** The feedback of a project that is wanted, its order and how much of it. Its payload is a JSON column. */
export interface FeedbackPlan {
  readonly projectId: string;
  /** Names columns of `StoredFeedback`. */
  readonly condition?: Condition<RecordField> | undefined;
  /** Never empty; has `id`, so that there is one order only. */
  readonly sort: readonly SortKey<RecordField>[];
  /** Absent: all. */
  readonly limit?: number | undefined;
  readonly offset: number;
}

export type ThreadColumn =
  | 'thread_id'
  | 'turn_count'
  | 'start_time'
  | 'last_updated'
  | 'p50_turn_duration_ms'
  | 'p99_turn_duration_ms';

/** NULL last in both directions. */
export interface ThreadSortKey {
  readonly column: ThreadColumn;
  readonly isDescending: boolean;
}

export interface ThreadPlan {
  readonly projectId: string;
  /** Never empty. */
  readonly threadIds?: readonly string[];
  /** Microseconds; threads that started later. */
  readonly startedAfter?: number;
  /** Microseconds; threads whose last update was earlier. */
  readonly updatedBefore?: number;
  /** Never empty; has `thread_id`, so that there is one order only. */
  readonly sort: readonly ThreadSortKey[];
  /** Absent: all. */
  readonly limit?: number;
  readonly offset: number;
}

/** The versions of objects and ops that are wanted, their order and how much of them. Deleted ones never are. */
export interface ObjectPlan {
  readonly projectId: string;
  /** Lists are never empty and constrain when they are there. */
  readonly objectIds?: readonly string[];
  readonly baseClasses?: readonly string[];
  /** A version without a class is not excluded. */
  readonly excludedBaseClasses?: readonly string[];
  readonly leafClasses?: readonly string[];
  readonly kind?: 'op' | 'object';
  readonly latestOnly: boolean;
  /** Name, number and kind come after them, ascending, so that there is one order only. */
  readonly sort: readonly ObjectSortKey[];
  readonly limit?: number;
  readonly offset: number;
  /** Values are null. */
  readonly metadataOnly: boolean;
}

export interface ObjectSortKey {
  readonly column: 'object_id' | 'created_at';
  readonly isDescending: boolean;
}

/** Order of one value inside the rows of a table, as for JSON values of calls. */
export interface RowSortKey {
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

export interface TablePlan {
  readonly projectId: string;
  readonly digest: string;
  /** Rows with one of these digests; never empty. Absent: all. */
  readonly rowDigests?: readonly string[];
  /** Rows that these keep equal, and all where there are none, are in the order of the table. */
  readonly sort: readonly RowSortKey[];
  /** Absent: all. */
  readonly limit?: number;
  readonly offset: number;
}
