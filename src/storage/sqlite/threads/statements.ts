import type { JsonColumn, ThreadPlan } from '../../contract/plan.ts';
import type { Sql } from '../../sql/sql.ts';
import type { StoredCall } from '../../contract/calls.ts';
import type { StoredFile } from '../../contract/files.ts';
import type { StoredObject } from '../../contract/objects.ts';
import type { StoredThread } from '../../contract/threads.ts';
import { ThreadTally } from '../../values/thread-tally.ts';
import { mapFile } from '../connection.ts';
import { selectCosts } from '../write/cost-table.ts';
import { selectSetting } from '../write/setting-table.ts';
import { selectRuns } from '../write/run-table.ts';
import { selectViews } from '../write/view-table.ts';
import type { DatabaseSync, Row, SqliteValue, Statement } from '../driver.ts';
import { queryFeedback, selectFeedback } from '../write/feedback-table.ts';
import { iterateSql, rowsOfKeys } from '../read/iterate.ts';
import type { Handlers, RequestOf } from '../../thread-exchanges.ts';
import type { Questions } from './requests.ts';
import { statementOf } from '../read/planned-statement.ts';
import { callColumns, type NamesOfCall, storedCall, storedFile } from '../read/rows.ts';
import { OBJECT_TABLES, objectColumns, queryObjects, storedObject } from '../read/object-rows.ts';
import { boundText, numberOf, textOf, textOfBlob } from '../read/text.ts';
import { type AggregateQuery, Aggregator } from '../columns/aggregator.ts';
import type { ColumnCache } from '../columns/column-cache.ts';
import { KeptColumns } from '../columns/kept-columns.ts';
import { selectOutlines } from '../read/select-outlines.ts';
import { selectTraits, type TraitQuery } from '../read/select-traits.ts';
import { selectTrace } from '../columns/select-trace.ts';
import type { CallAggregate, CallOutline } from '../../contract/overviews.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import type { RunSums, RunSumsPlan } from '../../contract/runs.ts';
import type { CallTraits } from '../../contract/traits.ts';
import { withNames } from '../read/named-values.ts';
import { oldTraces, projectsWithCalls, timeForBytes } from '../upkeep/find-old.ts';
import { tablePositions, tableRowDigests, tableRows, tableStats } from '../read/read-tables.ts';

const ALL_BODIES: readonly JsonColumn[] = ['attributes', 'inputs', 'output', 'summary'];
const MAX_CACHED_NAMES = 10_000;

/** The calls that a stream reads, as SQL that gives their keys, and what of them. */
export interface KeyedCalls {
  readonly projectId: string;
  readonly keys: Sql;
  readonly bodies: readonly JsonColumn[];
}

/** Reads on one connection. */
export class StatementReader {
  readonly #database: DatabaseSync;
  readonly #checkFiles: () => void;
  readonly #statements = new Map<string, Statement>();
  readonly #opNames = new Map<number, string>();
  /** Ids of runs, whose numbers no other ever gets. */
  readonly #runs = new Map<number, string>();
  readonly #columns: KeptColumns;
  readonly #aggregator: Aggregator;

  readonly #answers: Handlers<Questions> = {
    getCall: ({ projectId, id }) => this.getCall(projectId, id),
    count: ({ count }) => this.count(statementOf(count)),
    getObject: (asked) => this.getObject(asked.projectId, asked.objectId, asked.version, asked.isMetadataOnly),
    queryObjects: (list) => queryObjects(this.#database, list),
    getFile: ({ projectId, digest }) => this.getFile(projectId, digest),
    fileBytes: ({ projectId }) => this.fileBytes(projectId),
    listCosts: ({ projectId }) => selectCosts(this.#database, projectId),
    listViews: ({ projectId }) => selectViews(this.#database, projectId),
    listRuns: ({ plan }) => selectRuns(this.#database, plan),
    sumRuns: ({ plan }) => this.sumRuns(plan),
    listFeedback: ({ projectId, refs }) => selectFeedback(this.#database, projectId, refs),
    queryFeedback: (list) => queryFeedback(this.#database, list),
    queryThreads: ({ turns, plan }) => this.threads(turns, plan),
    rowDigests: ({ projectId, digest, from }) => tableRowDigests(this.#database, projectId, digest, from),
    tablePositions: ({ plan }) => tablePositions(this.#database, plan),
    tableRows: ({ projectId, digest, positions }) => tableRows(this.#database, projectId, digest, positions),
    tableStats: ({ projectId, digests }) => tableStats(this.#database, projectId, digests),
    getSetting: ({ name }) => selectSetting(this.#database, name),
    listProjects: () => projectsWithCalls(this.#database),
    timeForBytes: ({ projectId, bytes }) => timeForBytes(this.#database, projectId, bytes),
    oldTraces: ({ projectId, before }) => oldTraces(this.#database, projectId, before),
    aggregate: ({ projectId, keys, plan, choice }) =>
      this.aggregate({ projectId, keys: statementOf(keys), plan, choice }),
    traits: ({ keys, without, limit }) =>
      this.traits({ keys: statementOf(keys), without: without && statementOf(without), limit }),
    ping: () => this.ping(),
  };

  /** `checkFiles` throws where the files of the database are not in their place; `cache` is that of its thread. */
  constructor(database: DatabaseSync, checkFiles: () => void = () => undefined, cache?: ColumnCache) {
    this.#database = database;
    this.#checkFiles = checkFiles;
    this.#columns = new KeptColumns(database, cache);
    this.#aggregator = new Aggregator(database, this.#columns);
  }

  /** Answers what takes one step. */
  answer<Op extends keyof Questions>(request: RequestOf<Questions, Op>): Questions[Op]['answer'] {
    return this.#answers[request.op](request);
  }

  getCall(projectId: string, id: string): StoredCall | undefined {
    const project = '(SELECT pk FROM project WHERE name = CAST(? AS TEXT))';
    const where = `c.project = ${project} AND c.id = CAST(? AS TEXT) AND c.started_at IS NOT NULL`;
    const row = this.#callStatement(ALL_BODIES, where).get(boundText(projectId), boundText(id));
    return row === undefined ? undefined : storedCall(row, projectId, this.#namesOf(row));
  }

  count(count: Sql): number {
    const { text, values } = withNames(count);
    mapFile(this.#database, scansBodies(count));
    try {
      return numberOf(this.#database.prepare(text).get(values)?.['count']) ?? 0;
    } finally {
      mapFile(this.#database, false);
    }
  }

  /** The calls of a query one by one; keys are found first, in order, and each body is read when its turn comes. */
  *calls({ projectId, keys, bodies }: KeyedCalls): Generator<StoredCall> {
    for (const row of rowsOfKeys(this.#database, keys, this.#callStatement(bodies, 'c.pk = ?'))) {
      yield storedCall(row, projectId, this.#namesOf(row));
    }
  }

  getObject(projectId: string, objectId: string, version: string, isMetadataOnly: boolean): StoredObject | undefined {
    const { where, values } = versionCondition(version);
    const row = this.#statement(objectQuery(where, isMetadataOnly)).get(
      boundText(projectId),
      boundText(objectId),
      ...values,
    );
    return row === undefined ? undefined : storedObject(row, projectId, objectId);
  }

  getFile(projectId: string, digest: string): StoredFile | undefined {
    const row = this.#statement(FILE).get(boundText(projectId), boundText(digest));
    return row === undefined ? undefined : storedFile(row, projectId, digest);
  }

  fileBytes(projectId: string): number {
    return numberOf(this.#statement(FILE_BYTES).get(boundText(projectId))?.['bytes']) ?? 0;
  }

  /** Adds up the turns that a statement gives. */
  threads(turns: Sql, plan: ThreadPlan): StoredThread[] {
    const tally = new ThreadTally();
    for (const row of iterateSql(this.#database, turns)) {
      const startedAt = numberOf(row['started_at']) ?? 0;
      const turn = { id: textOf(row['id']) ?? '', startedAt, endedAt: numberOf(row['ended_at']) };
      tally.add(textOfBlob(row['thread_id']) ?? '', turn);
    }
    return tally.page(plan);
  }

  aggregate(query: AggregateQuery): CallAggregate {
    this.begin(query.keys);
    try {
      return this.#aggregator.aggregate(query);
    } finally {
      this.end();
    }
  }

  sumRuns(plan: RunSumsPlan): RunSums[] {
    this.#database.exec('BEGIN');
    try {
      return this.#aggregator.sumRuns(plan);
    } finally {
      this.end();
    }
  }

  traits(query: TraitQuery): CallTraits {
    mapFile(this.#database, true);
    this.#database.exec('BEGIN');
    try {
      return selectTraits(this.#database, query);
    } finally {
      this.end();
    }
  }

  outlines(keys: Sql, hasPreviews: boolean): Generator<CallOutline> {
    return selectOutlines(this.#database, keys, hasPreviews);
  }

  trace(keys: Sql): Generator<TraceColumns> {
    return selectTrace(this.#database, this.#columns, keys);
  }

  begin(keys: Sql): void {
    mapFile(this.#database, scansBodies(keys));
    this.#database.exec('BEGIN');
  }

  /** The connection may be idle for long; a thread has as many as it ever had streams at once. */
  end(): void {
    this.#database.exec('COMMIT; PRAGMA shrink_memory');
    mapFile(this.#database, false);
  }

  ping(): void {
    this.#checkFiles();
    this.#statement('SELECT count(*) FROM project').get();
  }

  close(): void {
    this.#database.close();
  }

  #callStatement(bodies: readonly JsonColumn[], where: string): Statement {
    const start = bodies.includes('attributes') || bodies.includes('inputs');
    const end = bodies.includes('output') || bodies.includes('summary');
    const tables = `calls c${start ? ' JOIN body_start s ON s.pk = c.pk' : ''}${end ? ' LEFT JOIN body_end e ON e.pk = c.pk' : ''}`;
    return this.#statement(`SELECT ${callColumns(bodies)} FROM ${tables} WHERE ${where}`);
  }

  /** For texts of ours only, which are few. */
  #statement(text: string): Statement {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #namesOf(row: Row): NamesOfCall {
    const process = numberOf(row['process']);
    return { opName: this.#opName(numberOf(row['op']) ?? 0), run: process === null ? undefined : this.#run(process) };
  }

  /** `undefined` where retention has removed it. */
  #run(key: number): string | undefined {
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const row = this.#statement('SELECT CAST(id AS BLOB) AS id FROM process_run WHERE pk = ?').get(key);
    const id = textOfBlob(row?.['id']) ?? undefined;
    if (id === undefined) return undefined;
    if (this.#runs.size >= MAX_CACHED_NAMES) this.#runs.clear();
    this.#runs.set(key, id);
    return id;
  }

  #opName(key: number): string {
    const known = this.#opNames.get(key);
    if (known !== undefined) return known;
    const row = this.#statement('SELECT CAST(name AS BLOB) AS name FROM op WHERE pk = ?').get(key);
    const name = textOfBlob(row?.['name']) ?? '';
    if (this.#opNames.size >= MAX_CACHED_NAMES) this.#opNames.clear();
    this.#opNames.set(key, name);
    return name;
  }
}

/** A statement that looks into the bodies of every call asks before each whether it may go on. */
function scansBodies({ text }: Sql): boolean {
  return text.includes('spoor_go_on(');
}

const FILE = `SELECT CAST(name AS BLOB) AS name, bytes FROM file
WHERE project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT)) AND digest = CAST(? AS TEXT)`;

const FILE_BYTES = `SELECT sum(length(bytes)) AS bytes FROM file
WHERE project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT))`;

/** Of a name that both kinds use `latest` and `v<N>` mean the object, which sorts before the op. */
function objectQuery(where: string, isMetadataOnly: boolean): string {
  return `SELECT ${objectColumns(isMetadataOnly)} FROM ${OBJECT_TABLES}
WHERE v.project = (SELECT pk FROM project WHERE name = CAST(? AS TEXT)) AND v.name = CAST(? AS TEXT) AND ${where}
LIMIT 1`;
}

const SAME_NAME = 'SELECT min(kind) FROM object n WHERE n.project = v.project AND n.name = v.name';

function versionCondition(version: string): { where: string; values: SqliteValue[] } {
  if (version === 'latest') {
    return {
      where: `v.kind = (${SAME_NAME}) ORDER BY is_latest DESC, v.deleted_at DESC, v.version_index DESC`,
      values: [],
    };
  }
  if (/^v\d{1,15}$/.test(version)) {
    return { where: `v.kind = (${SAME_NAME}) AND v.version_index = ?`, values: [Number(version.slice(1))] };
  }
  return {
    where: 'v.digest = CAST(? AS TEXT) ORDER BY v.deleted_at IS NOT NULL, v.version_index DESC',
    values: [boundText(version)],
  };
}
