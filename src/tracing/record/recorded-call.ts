// docs/decisions/0006-attributes-set-later.md says why.
import type { RecordedEnd, RecordedStart, RecordedSummary, ResolveLate } from '../../protocol/record.ts';
import { createCallId, createTraceId } from './call-id.ts';
import { EndBody, EndRecord, StartBody, StartRecord } from './call-records.ts';
import { type Captured } from '../capture/capture.ts';
import { clock, isoText } from './clock.ts';
import type { Frame, Scope } from '../propagation/frame.ts';
import { writeWhenRead } from './held-records.ts';
import { updateLater } from './late-summary.ts';
import { resolveLateTexts } from '../capture/late-text.ts';
import { addSource, type ModelSource, shownSources, sourceOf, type SourcesByModel } from './model-sources.ts';
import type { CallSpan } from '../propagation/span-bridge.ts';
import type { Tracer } from './tracer.ts';
import { addUsage, type TokenUsage, type UsageByModel, usageOf } from './usage.ts';

/** A parent outside of this process, or a span of another tracer. */
export interface ForeignParent {
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly isSampled: boolean;
  /** The thread and the turn that the parent belongs to. */
  readonly threadId?: string | undefined;
  readonly turnId?: string | undefined;
  /** `tracestate` as it came in, for whom it goes on to. */
  readonly traceState?: string | undefined;
  /** The span of OpenTelemetry inside of which this was found. */
  readonly around?: object | undefined;
}

/** How a stream ended, and what it was until then. */
export interface StreamSummary {
  readonly chunks: number;
  readonly first_chunk_ms: number | null;
  readonly reason: StreamEndReason;
}

export type StreamEndReason = 'end' | 'break' | 'error' | 'cancel' | 'abandoned';

/** Fields of a start record beyond ids and times. */
export interface StartFields {
  /** Where it has changed since the call began. */
  readonly opName?: string;
  readonly displayName: string | undefined;
  readonly attributes: Captured;
  readonly inputs: Captured;
}

const RECORD_OVERHEAD_BYTES = 320;

/**
 * One execution that is being recorded: it has an identity, can be the frame of what it calls, writes its start once
 * and its end once, and sums up its descendants. The first end counts, later ones are ignored. When a child ends
 * after its parent, the parent's end is written again with the new sums, since of several ends the last one counts: the one
 * with the highest `summary.end_revision`.
 */
export class RecordedCall implements Frame {
  readonly tracer: Tracer;
  readonly parent: RecordedCall | undefined;
  readonly scope: Scope | undefined;
  readonly catcher = undefined;
  readonly opName: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly threadId: string | undefined;
  readonly turnId: string | undefined;
  /** Microseconds of the monotonic clock, and what makes them a wall time. */
  readonly startedAt: number;
  readonly #clockOffset: number;
  #end: RecordedEnd | undefined;
  #endBytes = 0;
  #hasLateEnd = false;
  /** How often the end was written. */
  #endCount = 0;
  #isEndHeld = false;
  #successes = 0;
  #errors = 0;
  #usage: UsageByModel | undefined;
  /** Whom this call asks itself, and those below it ask. */
  #source: ModelSource | undefined;
  #sourcesBelow: SourcesByModel | undefined;
  #rawUsage: Record<string, unknown> | undefined;
  #attributes: Record<string, unknown> | undefined;
  #displayName: string | undefined;
  stream: StreamSummary | undefined;
  /** The span that stands for the call in OpenTelemetry. */
  readonly span: CallSpan | undefined;

  constructor(
    tracer: Tracer,
    frame: Frame | undefined,
    opName: string,
    foreign: ForeignParent | undefined,
    span?: CallSpan,
  ) {
    const parent = frame?.call;
    this.tracer = tracer;
    this.parent = parent;
    this.scope = frame?.scope;
    this.opName = opName;
    this.span = span;
    this.startedAt = span?.startedAt ?? clock.now();
    this.#clockOffset = clock.offset;
    const wall = this.startedAt + this.#clockOffset;
    this.id = span?.callId ?? createCallId(wall);
    this.traceId = parent?.traceId ?? foreign?.traceId ?? span?.traceId ?? createTraceId(wall);
    this.parentId = parent?.id ?? foreign?.parentId;
    this.threadId = frame?.scope?.threadId;
    this.turnId = this.threadId === undefined ? undefined : turnOf(this, parent, foreign);
  }

  get call(): RecordedCall {
    return this;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Contained by no call that still runs: a root, or one that outlived what called it. */
  get isOutermost(): boolean {
    return this.parent === undefined || this.parent.hasEnded;
  }

  writeStart({ opName = this.opName, displayName, attributes, inputs }: StartFields): void {
    const { projectId } = this.tracer;
    this.#source = sourceOf(attributes.value);
    const startedAt = isoText(this.startedAt + this.#clockOffset);
    const start = new StartBody(this, projectId, opName, startedAt, attributes.value, inputs.value);
    if (this.parentId !== undefined) start.parent_id = this.parentId;
    if (this.threadId !== undefined) start.thread_id = this.threadId;
    if (this.turnId !== undefined) start.turn_id = this.turnId;
    if (displayName !== undefined) start.display_name = displayName;
    const runId = this.scope?.runId;
    if (runId !== undefined) start.svc_run_id = runId.includes('/') ? runId : `${projectId}/${runId}`;
    this.span?.begin(this, start);
    const bytes = RECORD_OVERHEAD_BYTES + attributes.bytes + inputs.bytes;
    const resolveLate = resolveLateOf(inputs, attributes);
    const record = new StartRecord(start, bytes, resolveLate, attributes.text);
    if (inputs.reading === undefined) return this.tracer.sink.writeCall(record);
    writeWhenRead(inputs.reading, bytes, () => this.tracer.sink.writeCall(record));
  }

  /** Has a model request been told of, made by the call or below it? */
  get hasUsage(): boolean {
    return this.#usage !== undefined;
  }

  /** Ends the call; `exception` is its text, or `undefined` when it succeeded. `endedAt` is of the monotonic clock. */
  writeEnd(output: Captured, exception: string | undefined, endedAt: number = clock.now()): void {
    if (this.#end !== undefined) return;
    if (exception === undefined) this.#successes += 1;
    else this.#errors += 1;
    const at = isoText(endedAt + this.#clockOffset);
    const end: RecordedEnd = new EndBody(this.tracer.projectId, this.id, at, output.value, this.#summary());
    if (exception !== undefined) end.exception = exception;
    if (this.#displayName !== undefined) end.display_name = this.#displayName;
    this.#end = end;
    this.span?.end(end);
    this.#endBytes = RECORD_OVERHEAD_BYTES + output.bytes + (exception?.length ?? 0);
    this.#hasLateEnd = output.hasLate === true;
    if (output.reading === undefined) this.#write(end);
    else this.#writeEndWhenRead(output.reading);
    this.parent?.addDescendants(this.#successes, this.#errors, this.#usage, this.#sources);
    const { invocations } = this.tracer;
    if (invocations !== undefined && this.isOutermost) invocations.ended();
  }

  /** Writes the end record again, with the sums as they are now. */
  writeSummary(): void {
    if (this.#end === undefined || this.#isEndHeld) return;
    const end = { ...this.#end, summary: this.#summary() };
    this.#write(end);
  }

  #write(end: RecordedEnd): void {
    this.#endCount += 1;
    const resolveLate = this.#hasLateEnd ? resolveLateTexts : undefined;
    this.tracer.sink.writeCall(new EndRecord(end, this.#endBytes, resolveLate));
  }

  #writeEndWhenRead(reading: Promise<unknown>): void {
    this.#isEndHeld = true;
    writeWhenRead(reading, this.#endBytes, () => {
      this.#isEndHeld = false;
      this.writeSummary();
    });
  }

  addUsage(model: string, tokens: TokenUsage, raw: unknown): void {
    const usage = usageOf(tokens);
    addUsage((this.#usage ??= new Map()), model, usage);
    if (raw !== undefined) (this.#rawUsage ??= {})[model] = raw;
    this.span?.addUsage(model, usage);
    if (this.#end === undefined) return;
    updateLater(this);
    this.parent?.addDescendants(0, 0, new Map([[model, usage]]), this.#sources);
  }

  setAttributes(attributes: Readonly<Record<string, unknown>>): void {
    this.#attributes = { ...this.#attributes, ...attributes };
    this.#source = sourceOf(attributes) ?? this.#source;
    if (this.#end !== undefined) updateLater(this);
  }

  setDisplayName(text: string): void {
    this.#displayName = text;
    if (this.#end === undefined) return;
    this.#end = { ...this.#end, display_name: text };
    updateLater(this);
  }

  /** Sums that reached an ended parent have to go on to its parents, which have counted it already. */
  private addDescendants(successes: number, errors: number, usage: UsageByModel | undefined, sources: Sources): void {
    this.#successes += successes;
    this.#errors += errors;
    if (usage !== undefined) {
      const mine = (this.#usage ??= new Map());
      const below = (this.#sourcesBelow ??= new Map());
      for (const [model, sum] of usage) {
        addUsage(mine, model, sum);
        addSource(below, model, sourceIn(sources, model));
      }
    }
    if (this.#end === undefined) return;
    updateLater(this);
    this.parent?.addDescendants(successes, errors, usage, this.#sources);
  }

  get #sources(): Sources {
    return { own: this.#source, below: this.#sourcesBelow };
  }

  #isPlainSuccess(): boolean {
    const hasMore = this.#usage ?? this.#rawUsage ?? this.#attributes ?? this.stream;
    return this.#successes === 1 && this.#errors === 0 && hasMore === undefined && this.#endCount === 0;
  }

  #summary(): RecordedSummary {
    if (this.#isPlainSuccess()) return PLAIN_SUCCESS;
    const summary: RecordedSummary = { status_counts: { success: this.#successes, error: this.#errors } };
    if (this.#usage !== undefined) summary['usage'] = copyUsage(this.#usage);
    const sources = shownSources(this.#sourcesBelow);
    if (sources !== undefined) summary['providers'] = sources;
    if (this.#rawUsage !== undefined) summary['raw_usage'] = this.#rawUsage;
    if (this.#attributes !== undefined) summary['attributes'] = this.#attributes;
    if (this.stream !== undefined) summary['stream'] = this.stream;
    // An earlier end may be under way still, and must not count when it comes last.
    if (this.#endCount > 0) summary['end_revision'] = this.#endCount;
    return summary;
  }
}

/** Attributes that many calls share have their JSON text already. */
function resolveLateOf(inputs: Captured, attributes: Captured): ResolveLate | undefined {
  if (attributes.hasLate === true && attributes.text === undefined) return resolveLateTexts;
  return inputs.hasLate === true ? resolveInputs : undefined;
}

function resolveInputs(record: RecordedStart | RecordedEnd): void {
  if ('inputs' in record) resolveLateTexts(record.inputs);
}

/** The summary of most calls, made once. */
const PLAIN_SUCCESS: RecordedSummary = Object.freeze({ status_counts: Object.freeze({ success: 1, error: 0 }) });

/** The outermost call of a thread is a turn; what it calls belongs to that turn. */
function turnOf(call: RecordedCall, parent: RecordedCall | undefined, foreign: ForeignParent | undefined): string {
  const outer = parent ?? foreign;
  return (outer !== undefined && outer.threadId === call.threadId ? outer.turnId : undefined) ?? call.id;
}

function copyUsage(usage: UsageByModel): Record<string, unknown> {
  return Object.fromEntries([...usage].map(([model, sum]) => [model, { ...sum }]));
}

/** Whom a call asked, and those below it. Data only: a parent may be of another copy of this package. */
interface Sources {
  readonly own: ModelSource | undefined;
  readonly below: SourcesByModel | undefined;
}

function sourceIn({ own, below }: Sources, model: string): ModelSource | null {
  const source = below?.get(model);
  return source === undefined ? (own ?? null) : source;
}
