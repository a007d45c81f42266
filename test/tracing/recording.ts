import type { CallEnd, CallStart } from '../../src/protocol/call.ts';
import type { CallRecord, FileRecord, ObjectRecord, TableRecord } from '../../src/protocol/record.ts';
import { appendRecord } from '../../src/delivery/batch/record-text.ts';
import { clearTracer, setTracer, type TracerOptions, type TracingProblem } from '../../src/tracing/record/tracer.ts';

/** One call as its start and its last end tell it. */
export interface SeenCall {
  readonly start: CallStart;
  readonly end: CallEnd | undefined;
}

export interface Recording {
  readonly records: CallRecord[];
  readonly objects: ObjectRecord[];
  readonly tables: TableRecord[];
  readonly files: FileRecord[];
  readonly problems: TracingProblem[];
  /** In order of their starts. */
  calls(): SeenCall[];
  /** The only call of this name. */
  call(name: string): SeenCall;
  stop(): void;
}

/** Installs a tracer that keeps its records in arrays. */
export function startRecording(options: Partial<TracerOptions> = {}): Recording {
  const records: CallRecord[] = [];
  const objects: ObjectRecord[] = [];
  const tables: TableRecord[] = [];
  const files: FileRecord[] = [];
  const problems: TracingProblem[] = [];
  const sink = {
    writeCall: (record: CallRecord) => void records.push(record),
    writeObject: (record: ObjectRecord) => void objects.push(record),
    writeTable: (record: TableRecord) => void tables.push(record),
    writeFile: (record: FileRecord) => void files.push(record),
  };
  setTracer({ projectId: 'acme/demo', sink, onError: (problem) => void problems.push(problem), ...options });
  const calls = () => seen(records);
  return {
    records,
    objects,
    tables,
    files,
    problems,
    calls,
    call(name) {
      const found = calls().filter(({ start }) => start.op_name === name);
      if (found.length !== 1 || !found[0]) throw new Error(`There are ${found.length} calls of "${name}"`);
      return found[0];
    },
    stop: clearTracer,
  };
}

/** As the service gets it. */
function sentOf<Kind extends CallRecord['kind']>(record: CallRecord & { readonly kind: Kind }): Sent[Kind] {
  const pieces: string[] = [];
  appendRecord(pieces, record);
  const { req } = JSON.parse(pieces.join('')) as { readonly req: Sent };
  return req[record.kind];
}

interface Sent {
  readonly start: CallStart;
  readonly end: CallEnd;
}

function seen(records: readonly CallRecord[]): SeenCall[] {
  const ends = new Map(records.flatMap((record) => (record.kind === 'end' ? [[record.end.id, record]] : [])));
  return records.flatMap((record) => {
    if (record.kind !== 'start') return [];
    const end = ends.get(record.start.id);
    return [{ start: sentOf(record), end: end && sentOf(end) }];
  });
}

/** `name(child, child(grandchild))` of everything recorded, children in order of their starts. */
export function treeOf(recording: Recording): string[] {
  const calls = recording.calls();
  const textOf = ({ start }: SeenCall): string => {
    const children = calls.filter((call) => call.start.parent_id === start.id);
    return children.length === 0 ? start.op_name : `${start.op_name}(${children.map(textOf).join(', ')})`;
  };
  return calls.filter(({ start }) => (start.parent_id ?? null) === null).map(textOf);
}
