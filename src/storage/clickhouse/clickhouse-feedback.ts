import { TracingError } from '../../protocol/error.ts';
import type { FeedbackStore, StoredFeedback } from '../contract/feedback.ts';
import type { FeedbackPlan } from '../contract/plan.ts';
import type { ListOptions, ReadOptions } from '../contract/reads.ts';
import { bind, raw, type Sql, sql } from '../sql/sql.ts';
import { byAge, pageOfFeedback, selectFeedback } from '../values/pages.ts';
import type { Connection, Row } from './connection.ts';
import type { FeedbackByRef } from './read/evaluated-calls.ts';
import { neededTexts } from './read/needed-texts.ts';
import { bindTexts } from './statement.ts';
import { grouped } from './write/grouped.ts';
import { inParts } from './write/in-parts.ts';
import { Turns } from './write/turns.ts';
import { versionAbove } from './write/version-clock.ts';

const COLUMNS =
  'project_id, id, svc_ref, creator, created_at, feedback_type, payload, annotation_ref, runnable_ref, call_ref, trigger_ref, queue_id, svc_user_id';

export class ClickhouseFeedback implements FeedbackStore {
  readonly #connection: Connection;
  readonly #turns = new Turns();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create(feedback: StoredFeedback, replacedId: string | null = null): Promise<void> {
    const { project_id: projectId, id } = feedback;
    await this.#turns.run(async () => {
      if (id !== replacedId) await this.#refuseTaken([feedback]);
      const isReplaced = replacedId !== null && replacedId !== id;
      await this.#insert([storedRow(feedback), ...(isReplaced ? [goneRow(projectId, replacedId)] : [])]);
    });
  }

  async createAll(feedback: readonly StoredFeedback[]): Promise<void> {
    await this.#turns.run(async () => {
      const keys = feedback.map(keyOf);
      const twice = feedback.find((one, index) => keys.indexOf(keyOf(one)) !== index);
      if (twice !== undefined) throw takenError(twice.id);
      await this.#refuseTaken(feedback);
      await this.#insert(feedback.map(storedRow));
    });
  }

  async list(projectId: string, refs?: readonly string[]): Promise<StoredFeedback[]> {
    if (refs === undefined) return await this.#read(projectId, sql`1`);
    const found = await inParts(refs, (part) => this.#read(projectId, sql`svc_ref IN ${bindTexts(part)}`));
    return found.sort(byAge);
  }

  async query(plan: FeedbackPlan, options: ListOptions = {}): Promise<StoredFeedback[]> {
    return await pageOfFeedback(await this.#candidates(plan, options), plan, options);
  }

  async count(plan: FeedbackPlan, options: ReadOptions = {}): Promise<number> {
    return (await selectFeedback(await this.#candidates(plan, options), plan, options)).length;
  }

  async purge(projectId: string, ids: readonly string[]): Promise<void> {
    await this.#turns.run(() => this.#insert(ids.map((id) => goneRow(projectId, id))));
  }

  /** All that is said in a project, by what it is about. */
  async byRef(projectId: string): Promise<FeedbackByRef> {
    return grouped(await this.#read(projectId, sql`1`), (one) => one.svc_ref);
  }

  /** All that a plan may select: what names ids, or what it is about, is looked for by them, which are few. */
  async #candidates({ projectId, condition }: FeedbackPlan, options: ReadOptions): Promise<StoredFeedback[]> {
    for (const column of ['id', 'svc_ref']) {
      const texts = neededTexts(condition, column);
      if (texts === undefined) continue;
      const found = await inParts([...new Set(texts)], (part) => {
        return this.#read(projectId, sql`${raw(column)} IN ${bindTexts(part)}`, options);
      });
      return found.sort(byAge);
    }
    return await this.#read(projectId, sql`1`, options);
  }

  async #read(projectId: string, condition: Sql, { deadlineMs, signal }: ReadOptions = {}): Promise<StoredFeedback[]> {
    const options = { ...(deadlineMs !== undefined && { deadlineMs }), ...(signal && { signal }) };
    return await this.#connection.all<StoredFeedback>(
      sql`SELECT ${raw(COLUMNS)} FROM feedback FINAL WHERE project_id = ${bind(projectId)} AND ${condition}
        ORDER BY created_at, id`,
      options,
    );
  }

  async #refuseTaken(feedback: readonly StoredFeedback[]): Promise<void> {
    for (const [projectId, ofProject] of grouped(feedback, (one) => one.project_id)) {
      const taken = await inParts(ofProject, (part) => {
        return this.#read(projectId, sql`id IN ${bindTexts(part.map(({ id }) => id))}`);
      });
      if (taken[0] !== undefined) throw takenError(taken[0].id);
    }
  }

  async #insert(rows: readonly NamedRow[]): Promise<void> {
    const ver = await versionAbove(this.#connection, 'feedback', rows);
    await this.#connection.insert(
      'feedback',
      rows.map((row) => ({ ...row, ver })),
    );
  }
}

type NamedRow = Row & Pick<StoredFeedback, 'project_id' | 'id'>;

function storedRow(feedback: StoredFeedback): NamedRow {
  return { ...feedback, is_deleted: 0 };
}

function goneRow(projectId: string, id: string): NamedRow {
  return { project_id: projectId, id, is_deleted: 1 };
}

function keyOf({ project_id, id }: StoredFeedback): string {
  return JSON.stringify([project_id, id]);
}

function takenError(id: string): TracingError {
  return new TracingError('invalid_request', `Cannot create feedback "${id}": there is one with this id`);
}
