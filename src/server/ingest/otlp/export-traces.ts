import type { ExportTraceResponse } from '../../../protocol/otel.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { CallFact } from '../../../storage/contract/calls.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import type { Translator } from '../../../protocol/spelling/translator.ts';
import { findIn, treeOf } from '../../../protocol/span/attribute-tree.ts';
import type { JsonObject } from '../../../protocol/values/json-object.ts';
import { type Sender, senderIn } from '../../../protocol/sender.ts';
import { SERVICE_KEYS } from '../../../protocol/span/known-keys.ts';
import type { Message } from './message.ts';
import type { Span } from '../../../protocol/span/span.ts';
import { textAt, textOf } from '../../../protocol/span/content.ts';
import { readExport, readSpan, type ResourceSpans } from './read-export.ts';
import { type SpanHome, SpanRefusal, toFacts } from './span-facts.ts';
import type { WriteStores } from '../write-stores.ts';

const MAX_MESSAGES = 20;

/** What was taken of an export. */
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
 * span is left and a project was the reason, it throws that reason.
 */
export async function exportTraces(
  calls: WriteStores['calls'],
  body: unknown,
  context: ExportContext,
): Promise<ExportTraceResponse> {
  const rejections = new Rejections();
  const messages = readExport(body).flatMap((resource) => spansOf(resource, context, rejections));
  // Nothing is written when one of them is no span; none is kept, for it takes more memory than what is made of it.
  const facts: CallFact[] = [];
  await mapInTurns(messages, ({ message, home }) => {
    facts.push(...factsOf({ span: readSpan(message), home }, context, rejections));
  });
  if (facts.length === 0 && rejections.projectError) throw rejections.projectError;
  if (facts.length > 0) await calls.write(facts);
  context.onTaken?.({
    projects: [...new Set(messages.map(({ home }) => home.projectId))],
    starts: facts.filter(({ kind }) => kind === 'start').length,
    ends: facts.filter(({ kind }) => kind === 'end').length,
    sender: onlySender(messages),
  });
  return rejections.toResponse();
}

function onlySender(messages: readonly { readonly home: SpanHome }[]): Sender | undefined {
  const first = messages[0]?.home.sender;
  const isSame = ({ home: { sender } }: { readonly home: SpanHome }) =>
    sender?.host === first?.host && sender?.pid === first?.pid;
  return messages.every(isSame) ? first : undefined;
}

/** The process that a resource names, as exporters do. */
function senderOf(tree: JsonObject): Sender | undefined {
  return senderIn({ host: textOf(findIn(tree, 'host.name')), pid: Number(textOf(findIn(tree, 'process.pid'))) });
}

/** The spans of a resource with their home; none where that may not be written to. */
function spansOf(
  resource: ResourceSpans,
  context: ExportContext,
  rejections: Rejections,
): { message: Message; home: SpanHome }[] {
  if (resource.spans.length === 0) return [];
  try {
    const home = homeOf(resource, context);
    return resource.spans.map((message) => ({ message, home }));
  } catch (error) {
    rejections.addProject(error, resource.spans.length);
    return [];
  }
}

function factsOf(
  { span, home }: { readonly span: Span; readonly home: SpanHome },
  context: ExportContext,
  rejections: Rejections,
): CallFact[] {
  try {
    return toFacts(span, home, context);
  } catch (error) {
    rejections.addSpan(error);
    return [];
  }
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

/** Counts what was not taken, with the reasons. */
class Rejections {
  projectError: TracingError | undefined;
  #count = 0;
  readonly #messages = new Set<string>();

  addSpan(error: unknown): void {
    if (!(error instanceof SpanRefusal) && !(error instanceof TracingError)) throw error;
    this.#add(1, error.message);
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
