import type { CallRecord, ObjectRecord } from '../protocol/record.ts';

/**
 * Where tracing writes. Implementations return at once, never throw and never call back into user code:
 * they run inside the traced call.
 */
export interface Sink {
  writeCall(record: CallRecord): void;
  writeObject(record: ObjectRecord): void;
}
