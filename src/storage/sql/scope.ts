import type { FeedbackField, FeedbackType } from '../contract/plan.ts';
import type { Dialect, JsonPlace } from './dialect.ts';
import type { KeptFields } from './kept-fields.ts';
import type { Reading } from './reading.ts';
import type { Sql } from './sql.ts';

/** Where a condition or an order is printed. */
export interface Scope {
  readonly dialect: Dialect;
  readonly projectId: string;
  /** Names of the rows of feedback at hand, by the type that is asked for. */
  readonly feedback: ReadonlyMap<FeedbackType, string>;
  /** Values that statements around have computed, by their names. */
  readonly bound: ReadonlyMap<string, Reading>;
  /** Fields that are looked at once: of feedback at hand by the type that is asked for, of the record itself by `undefined`. */
  readonly kept: ReadonlyMap<FeedbackType | undefined, KeptFields | undefined>;
  /** Comparisons, and values inside of JSON, that are printed so far, wherever they stand. */
  readonly printed: { comparisons: number; places: number };
  /** How many statements inside of each other look at feedback. */
  readonly depth: number;
}

export function scopeOf(dialect: Dialect, projectId: string): Scope {
  return {
    dialect,
    projectId,
    feedback: new Map(),
    bound: new Map(),
    kept: new Map(),
    printed: { comparisons: 0, places: 0 },
    depth: 0,
  };
}

export function withFeedback(scope: Scope, type: FeedbackType, name: string): Scope {
  return { ...scope, feedback: new Map([...scope.feedback, [type, name]]), depth: scope.depth + 1 };
}

export function withKept(scope: Scope, type: FeedbackType | undefined, kept: KeptFields | undefined): Scope {
  return { ...scope, kept: new Map([...scope.kept, [type, kept]]) };
}

export function withValues(scope: Scope, values: Iterable<readonly [name: string, value: Reading]>): Scope {
  return { ...scope, bound: new Map([...scope.bound, ...values]) };
}

/** Beyond so many values a database would take tens of kilobytes to prepare each of them. */
const MAX_PLACES = 256;

/** A place that is printed now. */
export function countedPlace(place: JsonPlace, { printed }: Scope): JsonPlace {
  printed.places += 1;
  return printed.places > MAX_PLACES ? { ...place, isOneOfMany: true } : place;
}

/** The payload of the feedback at hand. */
export function payloadOf(field: FeedbackField, scope: Scope): JsonPlace {
  return { json: feedbackColumn(field, scope), path: field.path };
}

/** Planners put every condition on feedback inside of a `some`, and orders name what they sort by. */
export function feedbackColumn({ type, column }: FeedbackField, { dialect, feedback }: Scope): Sql {
  const name = feedback.get(type);
  if (name === undefined) throw new TypeError('A plan asks for feedback and does not say for which');
  return dialect.feedbackColumn(name, column);
}
