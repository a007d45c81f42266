import type { CallRecord, FileRecord, ObjectRecord, TableRecord } from '../../protocol/record.ts';

/**
 * Where tracing writes. Implementations return at once, never throw and never call back into user code:
 * they run inside the traced call.
 */
export interface Sink {
  writeCall(record: CallRecord): void;
  writeObject(record: ObjectRecord): void;
  /** A table, before the objects that name it. */
  writeTable(record: TableRecord): void;
  /** A file that belongs to no object; one that was written before is not sent again. */
  writeFile(record: FileRecord): void;
}
