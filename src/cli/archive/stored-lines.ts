import type { CostEntry, CostRecord } from '../../protocol/cost.ts';
import { TracingError } from '../../protocol/error.ts';
import type { FeedbackCreateRequest } from '../../protocol/feedback.ts';
import type { ObjectVersion } from '../../protocol/object.ts';
import type { View } from '../../protocol/page/view.ts';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { parseJson, stringifyJson } from '../../protocol/values/json.ts';
import { field, type Reader } from '../../reader/reader.ts';
import type { ArchiveKind, ArchiveLine } from './archive-line.ts';
import type { Rows } from './store-rows.ts';

/** A kind of lines other than calls: how a service is asked for what one has, and how it is sent, where it is not there. */
interface LineKind {
  readonly isThere: (reader: Reader, project: string, content: unknown) => Promise<boolean>;
  /** Absent: what is there already is known by its digest, or the order matters. */
  readonly send?: (reader: Reader, project: string, content: unknown) => Promise<unknown>;
}

/** Does a service have what a line has? `undefined` for kinds of lines that are not known, and for headers. */
export async function isStored(reader: Reader, { kind, project, value }: ArchiveLine): Promise<boolean | undefined> {
  return await KINDS[kind]?.isThere(reader, project, parseJson(value));
}

/** Sends what a line has, unless it is there. */
export async function storeLine(reader: Reader, line: ArchiveLine): Promise<void> {
  const send = KINDS[line.kind]?.send;
  if (send !== undefined && !(await isKnown(reader, line))) await send(reader, line.project, parseJson(line.value));
}

/** Objects and files are sent whether they are there or not: the service compares their digests. */
async function isKnown(reader: Reader, line: ArchiveLine): Promise<boolean> {
  if (line.kind === 'object' || line.kind === 'file') return false;
  if (line.kind !== 'feedback') return (await isStored(reader, line)) === true;
  // What is there under its id stays.
  const { id, project_id } = parseJson(line.value) as unknown as StoredFeedback;
  return (await feedbackOf(reader, project_id, String(id))) !== undefined;
}

const KINDS: Readonly<Partial<Record<ArchiveKind, LineKind>>> = {
  feedback: {
    isThere: async (reader, project, content) => {
      const there = await feedbackOf(reader, project, String((content as StoredFeedback).id));
      return there !== undefined && textOf(ownFeedback(there)) === textOf(ownFeedback(content as StoredFeedback));
    },
    send: async (reader, _project, content) =>
      await reader.feedback.create(ownFeedback(content as StoredFeedback) as FeedbackCreateRequest),
  },
  object: {
    isThere: async (reader, project_id, content) => {
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
    isThere: async (reader, project_id, content) => {
      const { digest, from, rows } = content as Rows;
      return (await reader.tables.count(digest, { project_id })) >= from + rows.length;
    },
  },
  file: {
    isThere: async (reader, project_id, content) =>
      (await reader.files.get((content as StoredFile).digest, { project_id })) !== undefined,
    send: async (reader, project_id, content) => {
      const { digest: expected_digest, name, content: base64 } = content as StoredFile;
      await reader.files.create({ project_id, name, bytes: Buffer.from(base64, 'base64'), expected_digest });
    },
  },
  price: {
    isThere: async (reader, project_id, content) => {
      const wanted = textOf(withoutId(content as CostRecord));
      return (await reader.costs.query({ project_id })).some((price) => textOf(withoutId(price)) === wanted);
    },
    send: async (reader, project_id, content) => {
      const { llm_id, ...price } = withoutId(content as CostRecord);
      // All fields were asked for.
      await reader.costs.create({ [String(llm_id)]: price as CostEntry }, { project_id });
    },
  },
  view: {
    isThere: async (reader, project_id, content) => {
      const wanted = textOf(ownView(content as View));
      return (await reader.page.views.list({ project_id })).some((view) => textOf(ownView(view)) === wanted);
    },
    send: async (reader, project_id, content) => await reader.page.views.save(ownView(content as View), { project_id }),
  },
};

type StoredFeedback = Readonly<Record<string, unknown>> & { readonly project_id: string };

async function feedbackOf(reader: Reader, project_id: string, id: string): Promise<StoredFeedback | undefined> {
  const query = { $expr: field('id').eq(id).$expr };
  return (await reader.feedback.query({ project_id, query, limit: 1 }))[0] as StoredFeedback | undefined;
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

function withoutId({ id: _id, ...price }: CostRecord): Omit<CostRecord, 'id'> {
  return price;
}

function ownView({ name, query, columns }: View): Pick<View, 'name' | 'query' | 'columns'> {
  return { name, query, columns };
}

function undefinedIfDeleted(error: unknown): undefined {
  if (error instanceof TracingError && error.code === 'object_deleted') return undefined;
  throw error;
}

function textOf(value: unknown): string {
  // It was read from JSON.
  return stringifyJson(value as JsonValue);
}
