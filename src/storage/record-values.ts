import type { JsonValue } from '../protocol/canonical-json.ts';

/** The columns of one record as conditions and orders read them; null where there is no value. */
export interface RecordValues {
  text(column: string): string | null;
  /** Microseconds since 1970. */
  time(column: string): number | null;
  integer(column: string): number | null;
  json(column: string): JsonValue;
}
