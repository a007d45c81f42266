import type { ExportTraceResponse } from '../../../protocol/otel.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { CallFact } from '../../../storage/contract/calls.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { Turns } from '../../http/turns.ts';
import type { Sender } from '../../../protocol/sender.ts';
import type { Message } from './message.ts';
import { Portions } from './portions.ts';
import { readExport, readSpan, type ResourceSpans } from './read-export.ts';
import { readingOf, type SpanHome, SpanRefusal, toFacts } from './span-facts.ts';
import { type HomeContext, SpanHomes } from './span-homes.ts';
import type { WriteStores } from '../write-stores.ts';

const MAX_MESSAGES = 20;

/** The part of an export that was taken. */
export interface TakenSpans {
  readonly projects: readonly string[];
  readonly starts: number;
  readonly ends: number;
  /** The process that all resources name; `undefined` where they name several, or one of them none. */
  readonly sender: Sender | undefined;
}

export interface ExportContext extends IngestContext, HomeContext {
  /** Told once, when they are written. */
  readonly onTaken?: ((taken: TakenSpans) => void) | undefined;
}

/**
 * Writes the spans of an export as calls, those that can be one: the answer tells how many cannot, and why. When no
 * span is left and a project was the reason, it throws that reason. Nothing is written when one of them is no span; of
 * very many, each portion is written before the next is made, for calls take many times the room of small spans.
 */
export async function exportTraces(
  calls: WriteStores['calls'],
  body: unknown,
  context: ExportContext,
): Promise<ExportTraceResponse> {
  const rejections = new Rejections();
  const portions = new Portions(calls, async () => await checkSpans(body));
  const homes = new SpanHomes(context);
  const turns = new Turns();
  for (const resource of readExport(body)) {
    const home = writableHome(resource, homes, rejections);
    if (!home) continue;
    for (const message of resource.spans) {
      portions.add(factsOf({ message, home }, context, rejections));
      if (portions.isFull) await portions.write();
      if (turns.isOver) await turns.next();
    }
  }
  await portions.finish();
  const { starts, ends } = portions;
  if (starts === 0 && rejections.projectError) throw rejections.projectError;
  context.onTaken?.({ ...homes.told, starts, ends });
  return rejections.toResponse(homes.warning);
}

/** Throws for what is no span, wherever in the body it is; none is kept, for it takes more memory than what it was made of. */
async function checkSpans(body: unknown): Promise<void> {
  const turns = new Turns();
  for (const resource of readExport(body)) {
    for (const message of resource.spans) {
      readSpan(message);
      if (turns.isOver) await turns.next();
    }
  }
}

/** The home of the spans of a resource; nothing where there are none, or they may not be written there. */
function writableHome(resource: ResourceSpans, homes: SpanHomes, rejections: Rejections): SpanHome | undefined {
  const [first] = resource.spans;
  if (first === undefined) return undefined;
  try {
    return homes.open(resource);
  } catch (error) {
    rejections.addProject(error, countOf(resource.spans));
    return undefined;
  }
}

/** Each is decoded to be counted, and none is kept. Throws for what is no span. */
function countOf(spans: ResourceSpans['spans']): number {
  let count = 0;
  for (const message of spans) {
    readSpan(message);
    count += 1;
  }
  return count;
}

interface SpanToWrite {
  readonly message: Message;
  readonly home: SpanHome;
}

function factsOf(span: SpanToWrite, context: ExportContext, rejections: Rejections): CallFact[] {
  const reading = readingIn(span, context, rejections);
  return reading ? (rejections.unlessRefused(() => toFacts(reading, span.home, context)) ?? []) : [];
}

/** A function of its own: nobody has the span while its texts are made. Throws for what is no span. */
function readingIn({ message, home }: SpanToWrite, context: ExportContext, rejections: Rejections) {
  const span = readSpan(message);
  return rejections.unlessRefused(() => readingOf(span, home, context));
}

/** Counts what was not taken, with the reasons. */
class Rejections {
  projectError: TracingError | undefined;
  #count = 0;
  readonly #messages = new Set<string>();

  /** Nothing where a span is refused. */
  unlessRefused<Made>(make: () => Made): Made | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof SpanRefusal) && !(error instanceof TracingError)) throw error;
      this.#add(1, error.message);
      return undefined;
    }
  }

  addProject(error: unknown, spanCount: number): void {
    if (!(error instanceof TracingError)) throw error;
    this.projectError ??= error;
    this.#add(spanCount, error.message);
  }

  /** No span is rejected, and there is a message, where something is told of those that were taken: so says OTLP. */
  toResponse(warning: string | undefined): ExportTraceResponse {
    const messages = [...this.#messages, ...(warning === undefined ? [] : [warning])];
    if (messages.length === 0) return {};
    return { partialSuccess: { rejectedSpans: String(this.#count), errorMessage: messages.join('; ') } };
  }

  #add(count: number, message: string): void {
    this.#count += count;
    if (this.#messages.size < MAX_MESSAGES) this.#messages.add(message);
  }
}
