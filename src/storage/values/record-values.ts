import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import type { FeedbackType } from '../contract/plan.ts';

/** The columns of one record as conditions and orders read them; null where there is no value. */
export interface RecordValues {
  text(column: string): string | null;
  /** Microseconds since 1970. */
  time(column: string): number | null;
  integer(column: string): number | null;
  json(column: string): JsonValue;
  /** The feedback of a type on the record, oldest first; absent for records that have none. */
  feedback?(type: FeedbackType): readonly FeedbackValues[];
}

/** The values of one feedback: its payload, and references as texts. */
export type FeedbackValues = Readonly<Record<'payload' | 'runnable_ref' | 'trigger_ref', JsonValue>>;
