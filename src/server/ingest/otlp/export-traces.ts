import type { ExportTraceResponse } from '../../../protocol/otel.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { CallFact } from '../../../storage/contract/calls.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { Turns } from '../../http/turns.ts';
import type { Translator } from '../../../protocol/spelling/translator.ts';
import { findIn, treeOf } from '../../../protocol/span/attribute-tree.ts';
import type { JsonObject } from '../../../protocol/values/json-object.ts';
import { type Sender, senderIn } from '../../../protocol/sender.ts';
import { SERVICE_KEYS } from '../../../protocol/span/known-keys.ts';
import type { Message } from './message.ts';
import { Portions } from './portions.ts';
import { textAt, textOf } from '../../../protocol/span/content.ts';
import { readExport, readSpan, type ResourceSpans } from './read-export.ts';
import { readingOf, type SpanHome, SpanRefusal, toFacts } from './span-facts.ts';
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

export interface ExportContext extends IngestContext {
  /** Project of resources that name none. */
  readonly projectId: string | undefined;
  /** Of the dialect the export is written in; undefined: native. */
  readonly translator: Translator | undefined;
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
  const homes = new Homes();
  const turns = new Turns();
  for (const resource of readExport(body)) {
    const home = writableHome(resource, context, rejections);
    if (!home) continue;
    homes.add(home);
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
  return rejections.toResponse();
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
function writableHome(resource: ResourceSpans, context: ExportContext, rejections: Rejections): SpanHome | undefined {
  const [first] = resource.spans;
  if (first === undefined) return undefined;
  try {
    return homeOf(resource, context);
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

/** The process that a resource names, as exporters do. */
function senderOf(tree: JsonObject): Sender | undefined {
  return senderIn({ host: textOf(findIn(tree, 'host.name')), pid: Number(textOf(findIn(tree, 'process.pid'))) });
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

/** The project and run that a resource names; throws when it may not be written to. */
function homeOf({ attributes }: ResourceSpans, { caller, projectId, translator }: ExportContext): SpanHome {
  const tree = treeOf(attributes);
  const entity = textAt(tree, SERVICE_KEYS.entity);
  const project = textAt(tree, SERVICE_KEYS.project);
  const named = entity !== undefined && project !== undefined ? `${entity}/${project}` : projectId;
  if (named === undefined) {
    throw new TracingError(
      'invalid_project_id',
      'Cannot tell the project of the spans: want the resource attributes svc.entity and svc.project, or the header project_id',
    );
  }
  checkProject(caller, named);
  const runId = textAt(tree, SERVICE_KEYS.runId);
  return { projectId: named, resource: attributes, sender: senderOf(tree), runId, translator };
}

/** The projects of all spans, and the sender that their homes have in common. */
class Homes {
  readonly #projects = new Set<string>();
  #sender: Sender | undefined;
  #isOnly = true;

  add({ projectId, sender }: SpanHome): void {
    const isFirst = this.#projects.size === 0;
    if (isFirst) this.#sender = sender;
    else if (sender?.host !== this.#sender?.host || sender?.pid !== this.#sender?.pid) this.#isOnly = false;
    this.#projects.add(projectId);
  }

  get told(): Pick<TakenSpans, 'projects' | 'sender'> {
    return { projects: [...this.#projects], sender: this.#isOnly ? this.#sender : undefined };
  }
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

  toResponse(): ExportTraceResponse {
    if (this.#count === 0) return {};
    return { partialSuccess: { rejectedSpans: String(this.#count), errorMessage: [...this.#messages].join('; ') } };
  }

  #add(count: number, message: string): void {
    this.#count += count;
    if (this.#messages.size < MAX_MESSAGES) this.#messages.add(message);
  }
}
