import { TracingError } from '../../../protocol/error.ts';
import { boundedList } from '../../values/list-bound.ts';
import type { FeedbackStore, StoredFeedback } from '../../contract/feedback.ts';
import type { FeedbackPlan } from '../../contract/plan.ts';
import type { DatabaseSync, Row, Statement } from '../driver.ts';
import { rowsOfKeys } from '../read/iterate.ts';
import type { ListQuery } from '../threads/requests.ts';
import type { Names } from './names.ts';
import { sentFeedbackCount, sentFeedbackKeys, statementOf } from '../read/planned-statement.ts';
import type { Reads } from '../threads/reads.ts';
import { FEEDBACK_COLUMNS } from '../read/select-feedback.ts';
import { boundText, numberOf, textOf, textOfBlob } from '../read/text.ts';
import type { WriteClient } from '../threads/write-client.ts';

/** Feedback as the service asks for it. */
export function feedbackStore(writes: WriteClient, reads: Reads): FeedbackStore {
  return {
    create: async (feedback, replacedId = null) => {
      await writes.send({ op: 'createFeedback', feedback: [feedback], replacedId });
    },
    createAll: async (feedback) => {
      await writes.send({ op: 'createFeedback', feedback, replacedId: null });
    },
    list: async (projectId, refs) => {
      return await reads.send({ op: 'listFeedback', projectId, refs }, {});
    },
    query: async (plan: FeedbackPlan, options = {}) => {
      const list = { projectId: plan.projectId, keys: sentFeedbackKeys(plan), maxCharacters: options.maxCharacters };
      return await reads.send({ op: 'queryFeedback', ...list }, options);
    },
    count: async (plan: FeedbackPlan, options = {}) => {
      return await reads.send({ op: 'count', count: sentFeedbackCount(plan) }, options);
    },
    purge: async (projectId, ids) => {
      await writes.send({ op: 'purgeFeedback', projectId, ids });
    },
  };
}

/** Writes feedback; runs inside the transaction of the writer. */
export class FeedbackTable {
  readonly #names: Names;
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #delete: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#names = names;
    this.#find = database.prepare('SELECT 1 FROM feedback WHERE project = ? AND id = ?');
    this.#insert = database.prepare(INSERT);
    this.#delete = database.prepare(
      'DELETE FROM feedback WHERE project = ? AND id IN (SELECT value FROM json_each(?))',
    );
  }

  createAll(feedback: readonly StoredFeedback[], replacedId: string | null): void {
    this.#checkIds(feedback, replacedId);
    for (const one of feedback) this.#create(one, replacedId);
  }

  /** Before anything is written: what a refused request wrote would be committed with the others of its group. */
  #checkIds(feedback: readonly StoredFeedback[], replacedId: string | null): void {
    const given = new Set<string>();
    for (const { project_id: projectId, id } of feedback) {
      const project = this.#names.project(projectId);
      const key = `${project} ${id}`;
      if (given.has(key) || (id !== replacedId && this.#find.get(project, id) !== undefined)) {
        throw new TracingError('invalid_request', `Cannot create feedback "${id}": there is one with this id`);
      }
      given.add(key);
    }
  }

  #create(feedback: StoredFeedback, replacedId: string | null): void {
    const project = this.#names.project(feedback.project_id);
    if (replacedId !== null) this.#delete.run(project, JSON.stringify([replacedId]));
    this.#insert.run(
      project,
      feedback.id,
      boundText(feedback.svc_ref),
      boundText(feedback.creator),
      feedback.created_at,
      boundText(feedback.feedback_type),
      feedback.payload,
      boundText(feedback.annotation_ref),
      boundText(feedback.runnable_ref),
      boundText(feedback.call_ref),
      boundText(feedback.trigger_ref),
      boundText(feedback.queue_id),
      boundText(feedback.svc_user_id),
    );
  }

  purge(projectId: string, ids: readonly string[]): void {
    this.#delete.run(this.#names.project(projectId), JSON.stringify(ids));
  }
}

/** The feedback of a project, or of some references in it, oldest first. */
export function selectFeedback(
  database: DatabaseSync,
  projectId: string,
  refs: readonly string[] | undefined,
): StoredFeedback[] {
  const rows =
    refs === undefined
      ? database.prepare(`${SELECT} ${ORDER}`).all(boundText(projectId))
      : database.prepare(`${SELECT} ${OF_REFS} ${ORDER}`).all(boundText(projectId), JSON.stringify(refs));
  return rows.map((row) => storedFeedback(row, projectId));
}

export function queryFeedback(database: DatabaseSync, { projectId, keys, maxCharacters }: ListQuery): StoredFeedback[] {
  const one = database.prepare(`SELECT ${FEEDBACK_COLUMNS} FROM feedback WHERE pk = ?`);
  const found = storedFeedbackOf(rowsOfKeys(database, statementOf(keys), one), projectId);
  return boundedList(found, ({ payload }) => payload, maxCharacters);
}

function* storedFeedbackOf(rows: Iterable<Row>, projectId: string): Generator<StoredFeedback> {
  for (const row of rows) yield storedFeedback(row, projectId);
}

function storedFeedback(row: Row, projectId: string): StoredFeedback {
  return {
    project_id: projectId,
    id: textOf(row['id']) ?? '',
    svc_ref: textOfBlob(row['svc_ref']) ?? '',
    creator: textOfBlob(row['creator']),
    created_at: numberOf(row['created_at']) ?? 0,
    feedback_type: textOfBlob(row['feedback_type']) ?? '',
    payload: textOf(row['payload']) ?? '{}',
    annotation_ref: textOfBlob(row['annotation_ref']),
    runnable_ref: textOfBlob(row['runnable_ref']),
    call_ref: textOfBlob(row['call_ref']),
    trigger_ref: textOfBlob(row['trigger_ref']),
    queue_id: textOfBlob(row['queue_id']),
    svc_user_id: textOfBlob(row['user']) ?? '',
  };
}

const TEXT = 'CAST(? AS TEXT)';

const INSERT = `
INSERT INTO feedback(project, id, svc_ref, creator, created_at, feedback_type, payload, annotation_ref, runnable_ref,
  call_ref, trigger_ref, queue_id, user)
VALUES (?, ?, ${TEXT}, ${TEXT}, ?, ${TEXT}, ?, ${TEXT}, ${TEXT}, ${TEXT}, ${TEXT}, ${TEXT}, ${TEXT})`;

const SELECT = `
SELECT ${FEEDBACK_COLUMNS}
FROM feedback WHERE project = (SELECT pk FROM project WHERE name = ${TEXT})`;

const OF_REFS = 'AND svc_ref IN (SELECT value FROM json_each(?))';

const ORDER = 'ORDER BY created_at, id';
