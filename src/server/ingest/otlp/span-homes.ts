import { TracingError } from '../../../protocol/error.ts';
import { type Sender, senderIn } from '../../../protocol/sender.ts';
import { findIn, treeOf } from '../../../protocol/span/attribute-tree.ts';
import { textAt, textOf } from '../../../protocol/span/content.ts';
import { SERVICE_KEYS } from '../../../protocol/span/known-keys.ts';
import type { Translator } from '../../../protocol/spelling/translator.ts';
import type { JsonObject } from '../../../protocol/values/json-object.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import type { ResourceSpans } from './read-export.ts';
import { RepeatedResources } from './repeated-resources.ts';
import type { SpanHome } from './span-facts.ts';

const MAX_RUN_CHARACTERS = 1024;

export interface HomeContext extends Pick<IngestContext, 'caller'> {
  /** Project of resources that name none. */
  readonly projectId: string | undefined;
  /** Of the dialect the export is written in; undefined: native. */
  readonly translator: Translator | undefined;
}

/** Where the spans of an export belong: their projects, and the sender that all of them have in common. */
export class SpanHomes {
  readonly #context: HomeContext;
  readonly #resources = new RepeatedResources();
  readonly #projects = new Set<string>();
  #sender: Sender | undefined;
  #isOnly = true;

  constructor(context: HomeContext) {
    this.#context = context;
  }

  /** The project and run that a resource names; throws when it may not be written to. */
  open({ attributes }: ResourceSpans): SpanHome {
    const { caller, translator } = this.#context;
    const tree = treeOf(attributes);
    const projectId = this.#projectIn(tree);
    checkProject(caller, projectId);
    const sender = senderOf(tree);
    this.#add(projectId, sender);
    return {
      projectId,
      resource: this.#resources.of(tree),
      sender,
      runId: runIn(tree),
      translator,
    };
  }

  get told(): { projects: string[]; sender: Sender | undefined } {
    return { projects: [...this.#projects], sender: this.#isOnly ? this.#sender : undefined };
  }

  /** A sentence for who exports; `undefined` where all is kept. */
  get warning(): string | undefined {
    const { left } = this.#resources;
    return left === 0
      ? undefined
      : `${left} spans are kept without the attributes of their resource: spans of one request repeat up to 32 MiB of them`;
  }

  #projectIn(tree: JsonObject): string {
    const entity = textAt(tree, SERVICE_KEYS.entity);
    const project = textAt(tree, SERVICE_KEYS.project);
    const named = entity !== undefined && project !== undefined ? `${entity}/${project}` : this.#context.projectId;
    if (named !== undefined) return named;
    throw new TracingError(
      'invalid_project_id',
      'Cannot tell the project of the spans: want the resource attributes svc.entity and svc.project, or the header project_id',
    );
  }

  #add(projectId: string, sender: Sender | undefined): void {
    const isFirst = this.#projects.size === 0;
    if (isFirst) this.#sender = sender;
    else if (sender?.host !== this.#sender?.host || sender?.pid !== this.#sender?.pid) this.#isOnly = false;
    this.#projects.add(projectId);
  }
}

/** All spans of a resource repeat its run: a text that is too long for one is none. */
function runIn(tree: JsonObject): string | undefined {
  const run = textAt(tree, SERVICE_KEYS.runId);
  return run === undefined || run.length > MAX_RUN_CHARACTERS ? undefined : run;
}

/** The process that a resource names, as exporters do. */
function senderOf(tree: JsonObject): Sender | undefined {
  return senderIn({ host: textOf(findIn(tree, 'host.name')), pid: Number(textOf(findIn(tree, 'process.pid'))) });
}
