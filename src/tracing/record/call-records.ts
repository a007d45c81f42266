// docs/decisions/0028-records-are-made-by-classes.md says why.
import type { RecordedEnd, RecordedStart, RecordedSummary, ResolveLate } from '../../protocol/record.ts';

// Instances of classes, because records wait: where the first objects that a literal makes outlive a collection, V8 makes
// all later ones in old space, and dead ones there keep what they refer to until a major collection (allocation site
// pretenuring). It does so for literals and arrays only. Members that few have are declared only: as fields all would have
// them, undefined.

/** The ids that a start is told of its call. */
interface CallIds {
  readonly id: string;
  readonly traceId: string;
}

export class StartBody implements RecordedStart {
  readonly project_id: string;
  readonly id: string;
  readonly op_name: string;
  readonly trace_id: string;
  readonly started_at: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  declare display_name?: string;
  declare parent_id?: string;
  declare thread_id?: string;
  declare turn_id?: string;
  declare svc_run_id?: string;

  constructor(
    ids: CallIds,
    projectId: string,
    opName: string,
    startedAt: string,
    attributes: unknown,
    inputs: unknown,
  ) {
    this.project_id = projectId;
    this.id = ids.id;
    this.op_name = opName;
    this.trace_id = ids.traceId;
    this.started_at = startedAt;
    // A walk through members made them.
    this.attributes = attributes as RecordedStart['attributes'];
    this.inputs = inputs as RecordedStart['inputs'];
  }
}

export class EndBody implements RecordedEnd {
  readonly project_id: string;
  readonly id: string;
  readonly ended_at: string;
  readonly output: unknown;
  readonly summary: RecordedSummary;
  declare exception?: string;
  declare display_name?: string;

  constructor(projectId: string, id: string, endedAt: string, output: unknown, summary: RecordedSummary) {
    this.project_id = projectId;
    this.id = id;
    this.ended_at = endedAt;
    this.output = output;
    this.summary = summary;
  }
}

export class StartRecord {
  readonly kind = 'start';
  readonly start: RecordedStart;
  readonly bytes: number;
  readonly resolveLate: ResolveLate | undefined;
  readonly attributesText: string | undefined;

  constructor(
    start: RecordedStart,
    bytes: number,
    resolveLate: ResolveLate | undefined,
    attributesText: string | undefined,
  ) {
    this.start = start;
    this.bytes = bytes;
    this.resolveLate = resolveLate;
    this.attributesText = attributesText;
  }
}

export class EndRecord {
  readonly kind = 'end';
  readonly end: RecordedEnd;
  readonly bytes: number;
  readonly resolveLate: ResolveLate | undefined;

  constructor(end: RecordedEnd, bytes: number, resolveLate: ResolveLate | undefined) {
    this.end = end;
    this.bytes = bytes;
    this.resolveLate = resolveLate;
  }
}
