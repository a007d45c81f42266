import { REF_SCHEME } from '../../../protocol/ref.ts';
import type { Sender } from '../../../protocol/sender.ts';
import type { Translator } from '../../../protocol/spelling/translator.ts';
import type { CallFact, EndFact, StartFact } from '../../../storage/contract/calls.ts';
import { cutToSize, toBodyField } from '../calls/body-fields.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { checkOpName } from '../calls/check-op-name.ts';
import { collectRefs } from '../calls/collect-refs.ts';
import { cutDisplayName, cutException } from '../calls/cut-text.ts';
import { treeOfSpan } from '../../../protocol/span/attribute-tree.ts';
import { contentOf, findFirst, integerOf, type SpanContent, textAt } from '../../../protocol/span/content.ts';
import { END_TIME_KEY, SERVICE_KEYS, START_TIME_KEY } from '../../../protocol/span/known-keys.ts';
import type { Span } from '../../../protocol/span/span.ts';
import { exceptionOf, isCopyOfCall, parentOf, threadOf } from '../../../protocol/span/span-place.ts';
import { microsOfNanos } from '../../../protocol/span/span-times.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import { dumpText } from './dump-text.ts';
import { opNameOfSpan } from './span-name.ts';
import { timeAt } from './time-at.ts';
import { asJsonObject, type JsonObject } from '../../../protocol/values/json-object.ts';

/** Where the spans of a resource belong. */
export interface SpanHome {
  readonly projectId: string;
  /** Attributes of the resource for the dump of a span, asked for once for each. */
  readonly resource: () => JsonObject;
  /** The process that the resource names. */
  readonly sender: Sender | undefined;
  /** Run of the resource; a span may name one when there is none. */
  readonly runId: string | undefined;
  /** Of the dialect the spans are written in; undefined: native. */
  readonly translator: Translator | undefined;
}

/** Thrown for a span that cannot be a call; the others of the request are kept. */
export class SpanRefusal extends Error {}

/** A span without what a call is made of: that takes more room than its text, and is let go of first. */
type SpanHead = Omit<Span, 'attributes' | 'events' | 'links' | 'kind'>;

/** A span as it was read, in the native spelling. */
export interface SpanReading {
  readonly span: SpanHead;
  readonly tree: JsonObject;
  readonly content: SpanContent;
  /** The text of the span as it was sent, but for references in it. */
  readonly dump: JsonText;
}

/** Nothing for the span of a call that comes by itself; throws for one that cannot be a call. */
export function readingOf(span: Span, home: SpanHome, { limits }: IngestContext): SpanReading | undefined {
  checkIds(span);
  if (isCopyOfCall(span)) return undefined;
  const { resource, translator } = home;
  const tree = treeOfSpan(span.attributes, span.events);
  // Without events both have the same tree.
  const dump = dumpText(span, {
    resource: resource(),
    tree: span.events.length === 0 ? tree : undefined,
    translator,
    limits,
  });
  return translated({ span: headOf(span), tree, content: contentOf(tree), dump }, translator);
}

function headOf({ traceId, spanId, traceState, parentSpanId, name, startNanos, endNanos, status }: Span): SpanHead {
  return { traceId, spanId, traceState, parentSpanId, name, startNanos, endNanos, status };
}

function translated(reading: SpanReading, translator: Translator | undefined): SpanReading {
  if (!translator) return reading;
  const { text, value, namespaced } = translator;
  const { span, tree, content, dump } = reading;
  // Translating an object gives an object, which the type of any value does not say.
  return {
    span: { ...span, name: text(span.name), status: { ...span.status, message: text(span.status.message) } },
    tree: asJsonObject(value(tree)),
    content: {
      attributes: asJsonObject(namespaced(content.attributes)),
      inputs: asJsonObject(value(content.inputs)),
      output: value(content.output),
      summary: content.summary,
    },
    dump,
  };
}

/** The start of the call that a span is and, unless it runs, the end. */
export function toFacts(reading: SpanReading, home: SpanHome, context: IngestContext): CallFact[] {
  const start = startOf(reading, home, context);
  const endedAt = timeAt(reading.tree, END_TIME_KEY) ?? endOf(reading.span);
  return endedAt === null ? [start] : [start, endFactOf(reading, home, endedAt, context)];
}

function checkIds({ traceId, spanId, startNanos, name }: Span): void {
  const refuse = (reason: string) => {
    throw refusal(name, reason);
  };
  if (!/^[0-9a-f]{32}$/.test(traceId) || /^0+$/.test(traceId)) refuse('the trace id is not 16 bytes, or zero');
  if (!/^[0-9a-f]{16}$/.test(spanId) || /^0+$/.test(spanId)) refuse('the span id is not 8 bytes, or zero');
  if (startNanos === 0n) refuse('the start time is missing');
  if (startNanos < 0n || microsOfNanos(startNanos) === undefined) refuse(`the start time is ${OUT_OF_RANGE}`);
}

/** Nanoseconds since 1970, up to what a double can tell apart in microseconds. */
const OUT_OF_RANGE = 'out of range: it can be from 1970 to 2255';

function refusal(name: string, reason: string): SpanRefusal {
  return new SpanRefusal(`span ${JSON.stringify(name.slice(0, 100))}: ${reason}`);
}

function endOf({ endNanos, name }: SpanHead): number | null {
  if (endNanos <= 0n) return null;
  const micros = microsOfNanos(endNanos);
  if (micros === undefined) throw refusal(name, `the end time is ${OUT_OF_RANGE}`);
  return micros;
}

function startOf(
  { span, tree, content, dump }: SpanReading,
  home: SpanHome,
  { caller, limits }: IngestContext,
): StartFact {
  const attributes = toBodyField(content.attributes, Infinity, limits.json_depth);
  const inputs = toBodyField(content.inputs, Infinity, limits.json_depth);
  cutToSize([attributes, inputs], limits.call_bytes);
  const { threadId, isTurn } = threadOf(span, tree);
  const opName = opNameOfSpan(span.name, limits);
  return {
    kind: 'start',
    project_id: home.projectId,
    id: span.spanId,
    // A name that only looks like a reference must not be taken for one.
    op_name: opName.startsWith(REF_SCHEME) ? checkOpName(span.name, limits) : opName,
    display_name: cutDisplayName(textAt(tree, SERVICE_KEYS.displayName), limits),
    trace_id: span.traceId,
    fallback_trace_id: span.traceId,
    parent_id: parentOf(span),
    thread_id: threadId,
    turn_id: isTurn ? span.spanId : null,
    started_at: timeAt(tree, START_TIME_KEY) ?? microsOfNanos(span.startNanos) ?? 0,
    attributes: attributes.text,
    inputs: inputs.text,
    otel_dump: dump,
    input_refs: collectRefs(inputs.value, inputs.text),
    svc_user_id: caller.userId,
    svc_run_id: runOf(home, textAt(tree, SERVICE_KEYS.runId)),
    svc_run_step: integerOf(findFirst(tree, SERVICE_KEYS.runStep)?.value) ?? null,
  };
}

function endFactOf(
  { span, tree, content }: SpanReading,
  { projectId }: SpanHome,
  endedAt: number,
  { limits }: IngestContext,
): EndFact {
  const output = toBodyField(content.output, Infinity, limits.json_depth);
  const summary = toBodyField(content.summary, Infinity, limits.json_depth);
  cutToSize([output, summary], limits.call_bytes);
  return {
    kind: 'end',
    project_id: projectId,
    id: span.spanId,
    ended_at: endedAt,
    exception: cutException(exceptionOf(span, tree), limits),
    output: output.value === null ? null : output.text,
    output_refs: collectRefs(output.value, output.text),
    summary: summary.text,
    revision: 0,
    display_name: null,
    svc_run_step_end: integerOf(findFirst(tree, SERVICE_KEYS.runStepEnd)?.value) ?? null,
  };
}

/** Runs are named as clients name them: `<entity>/<project>/<run>`. */
function runOf({ projectId, runId }: SpanHome, ofSpan: string | undefined): string | null {
  const run = runId ?? ofSpan;
  if (run === undefined) return null;
  return /[/:]/.test(run) ? run : `${projectId}/${run}`;
}
