import type { CostEntry, CostRecord } from '../../protocol/cost.ts';
import { TracingError } from '../../protocol/error.ts';
import type { FeedbackCreateRequest } from '../../protocol/feedback.ts';
import type { ObjectVersion } from '../../protocol/object.ts';
import type { View } from '../../protocol/page/view.ts';
import { parseJson } from '../../protocol/values/json.ts';
import { field, type Reader } from '../../reader/reader.ts';
import type { ArchiveKind, ArchiveLine } from './archive-line.ts';
import { ownView, ProjectLists, textOf, withoutId } from './project-lists.ts';
import type { Rows } from './store-rows.ts';

/** A kind of lines other than calls and feedback: how a service is asked for what one has, and how it is sent, where it is not there. */
interface LineKind {
  readonly isThere: (asked: Asked, project: string, content: unknown) => Promise<boolean>;
  /** Absent: what is there already is known by its digest, or the order matters. */
  readonly send?: (reader: Reader, project: string, content: unknown) => Promise<unknown>;
}

interface Asked {
  readonly reader: Reader;
  readonly lists: ProjectLists;
}

/** The lines of an archive, other than calls, as a service has them. */
export class StoredLines {
  readonly #asked: Asked;

  constructor(reader: Reader) {
    this.#asked = { reader, lists: new ProjectLists(reader) };
  }

  /** Does a service have what a line other than feedback has? `undefined` for kinds of lines that are not known, and for headers. */
  async has({ kind, project, value }: ArchiveLine): Promise<boolean | undefined> {
    return await KINDS[kind]?.isThere(this.#asked, project, parseJson(value));
  }

  /** The same of feedback of one project, in one question. */
  async haveFeedback(lines: readonly ArchiveLine[]): Promise<boolean[]> {
    // An export made the lines.
    const wanted = lines.map(({ value }) => parseJson(value) as unknown as StoredFeedback);
    const there = await feedbackOf(this.#asked.reader, lines[0]?.project ?? '', wanted.map(idOf));
    return wanted.map((one) => isSameFeedback(there.get(idOf(one)), one));
  }

  /** Sends feedback of one project that is not there; what is there under its id stays. */
  async storeFeedback(lines: readonly ArchiveLine[]): Promise<void> {
    const { reader } = this.#asked;
    // An export made the lines.
    const wanted = lines.map(({ value }) => parseJson(value) as unknown as StoredFeedback);
    const there = await feedbackOf(reader, lines[0]?.project ?? '', wanted.map(idOf));
    const missing = wanted.filter((one) => !there.has(idOf(one)));
    if (missing.length > 0) await reader.feedback.createBatch(missing.map(ownFeedback) as FeedbackCreateRequest[]);
  }

  /** Sends what a line of another kind has, unless it is there. */
  async store(line: ArchiveLine): Promise<void> {
    const send = KINDS[line.kind]?.send;
    if (send === undefined || (await this.#isKnown(line))) return;
    const content = parseJson(line.value);
    await send(this.#asked.reader, line.project, content);
    this.#asked.lists.note(line.kind, content);
  }

  /** Objects and files are sent whether they are there or not: the service compares their digests. */
  async #isKnown(line: ArchiveLine): Promise<boolean> {
    if (line.kind === 'object' || line.kind === 'file') return false;
    return (await this.has(line)) === true;
  }
}

const KINDS: Readonly<Partial<Record<ArchiveKind, LineKind>>> = {
  object: {
    isThere: async ({ reader }, project_id, content) => {
      const { object_id, digest } = content as ObjectVersion;
      const asked = { project_id, metadata_only: true };
      return (await reader.objects.get(object_id, digest, asked).catch(undefinedIfDeleted)) !== undefined;
    },
    // Its classes are found in the value again.
    send: async (reader, _project, content) => {
      const { project_id, object_id, val, digest: expected_digest, svc_user_id } = content as ObjectVersion;
      await reader.objects.create({ project_id, object_id, val, expected_digest, svc_user_id });
    },
  },
  rows: {
    isThere: async ({ reader }, project_id, content) => {
      const { digest, from, rows } = content as Rows;
      return (await reader.tables.count(digest, { project_id })) >= from + rows.length;
    },
  },
  file: {
    isThere: async ({ reader }, project_id, content) =>
      (await reader.files.get((content as StoredFile).digest, { project_id })) !== undefined,
    send: async (reader, project_id, content) => {
      const { digest: expected_digest, name, content: base64 } = content as StoredFile;
      await reader.files.create({ project_id, name, bytes: Buffer.from(base64, 'base64'), expected_digest });
    },
  },
  price: {
    isThere: async ({ lists }, project, content) => await lists.has('price', project, content),
    send: async (reader, project_id, content) => {
      const { llm_id, ...price } = withoutId(content as CostRecord);
      // All fields were asked for.
      await reader.costs.create({ [String(llm_id)]: price as CostEntry }, { project_id });
    },
  },
  view: {
    isThere: async ({ lists }, project, content) => await lists.has('view', project, content),
    send: async (reader, project_id, content) => await reader.page.views.save(ownView(content as View), { project_id }),
  },
};

type StoredFeedback = Readonly<Record<string, unknown>> & { readonly project_id: string };

function idOf({ id }: StoredFeedback): string {
  return String(id);
}

/** Those of some ids that are there, by them. */
async function feedbackOf(
  reader: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<Map<string, StoredFeedback>> {
  const query = { $expr: field('id').in(ids).$expr };
  const found = (await reader.feedback.query({ project_id, query, limit: ids.length })) as unknown as StoredFeedback[];
  return new Map(found.map((one) => [idOf(one), one]));
}

function isSameFeedback(there: StoredFeedback | undefined, wanted: StoredFeedback): boolean {
  return there !== undefined && textOf(ownFeedback(there)) === textOf(ownFeedback(wanted));
}

/** Time and user are those of the import. */
function ownFeedback({ created_at: _time, svc_user_id: _user, ...feedback }: StoredFeedback): object {
  return feedback;
}

interface StoredFile {
  readonly digest: string;
  readonly name: string;
  readonly content: string;
}

function undefinedIfDeleted(error: unknown): undefined {
  if (error instanceof TracingError && error.code === 'object_deleted') return undefined;
  throw error;
}
