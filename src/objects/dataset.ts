import type { JsonValue } from '../protocol/values/canonical-json.ts';
import { TracingError } from '../protocol/error.ts';
import { digestJson } from '../protocol/values/digest.ts';
import { formatTableRef, isRef, parseRef } from '../protocol/ref.ts';
import { rememberVersion } from '../tracing/record/published-versions.ts';
import { describe, toObjectName } from './check-argument.ts';
import { type CopiedRow, copyRow, type StoredRow, watchAll } from './dataset-row.ts';
import { currentDestination } from './destination.ts';
import { LocalRows } from './local-rows.ts';
import { ObjectRef } from './object-ref.ts';
import { type Publishable, PUBLISH } from './publishable.ts';
import { revive } from './revive.ts';
import { saveObject } from './save-object.ts';
import { ServedRows } from './served-rows.ts';
import { recallTable } from './table-memory.ts';
import { classHeader } from './typed-object.ts';

export interface DatasetOptions<Row extends object> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly description?: string;
}

/** Where rows come from that are there already. */
interface Opened {
  readonly name: string;
  readonly description: string | undefined;
  readonly rows: LocalRows | ServedRows;
  readonly ref: ObjectRef<Dataset>;
}

let openDataset: (opened: Opened) => Dataset;

/**
 * A list of rows under a name, in versions. A row is an object of JSON values; it is masked like every published
 * value and copied when the dataset is first published or read.
 *
 * - A row that was read from a published dataset, or given to it, is recorded by calls as the reference of the row,
 *   as long as nothing in it changes.
 * - Rows are read as plain values, the same whether the dataset was made here or opened.
 *
 * @example
 * const questions = new Dataset({ name: 'questions', rows: [{ text: 'What is a spoor?' }] });
 * questions.publish();
 * for await (const row of questions) await answer(row);
 */
export class Dataset<Row extends object = Record<string, unknown>> implements Publishable, AsyncIterable<Row> {
  readonly name: string;
  readonly description: string | undefined;
  readonly #objectId: string;
  #rows: LocalRows | ServedRows;
  #ref: ObjectRef<Dataset<Row>> | undefined;
  readonly #digests = new WeakMap<object, string>();
  #appending: Promise<unknown> = Promise.resolve();

  static {
    openDataset = ({ rows, ref, ...fields }) => {
      const dataset = new Dataset<Record<string, unknown>>({ name: ref.name, rows: [] });
      dataset.#rows = rows;
      dataset.#ref = ref;
      return Object.assign(dataset, fields);
    };
  }

  /** Throws a `TypeError` that names the option that is wrong. */
  constructor(options: DatasetOptions<Row>) {
    checkOptions(options);
    const { name, description, rows } = options;
    this.name = name;
    this.description = description;
    this.#objectId = toObjectName(name, 'make the dataset');
    this.#rows = new LocalRows(rows);
  }

  /**
   * An existing dataset. Its rows are read from the service as they are needed, in pages.
   *
   * Rejects with a `TypeError` when `ref` is no reference of a dataset, and otherwise like `get`.
   */
  static open<Row extends object>(ref: ObjectRef<Dataset<Row>>): Promise<Dataset<Row>>;
  static open<Row extends object = Record<string, unknown>>(ref: ObjectRef | string): Promise<Dataset<Row>>;
  static async open(ref: ObjectRef | string): Promise<Dataset> {
    // Reading knows datasets.
    const { get } = await import('./get.ts');
    const value = await get(ref);
    if (value instanceof Dataset) return value as Dataset;
    throw new TypeError(`Cannot open the dataset: the argument "ref" is "${String(ref)}", which is no dataset`);
  }

  /** Stores this version and returns its reference at once: the digest is computed here, the rows go out later. */
  publish(): ObjectRef<Dataset<Row>> {
    return this[PUBLISH]();
  }

  [PUBLISH](name: string = this.#objectId): ObjectRef<Dataset<Row>> {
    if (this.#rows instanceof ServedRows) return this.#publishServed(this.#rows, name);
    const destination = currentDestination();
    const digest = this.#rows.write(destination);
    const ref = this.#save(name, formatTableRef(destination.projectId, digest));
    for (const row of this.#rows.takeCopied(destination)) this.#learn(row, ref);
    return ref;
  }

  /**
   * Adds rows at the end, publishes the version that has them too, and resolves with its reference. Only the new rows
   * are sent where the service has the others.
   *
   * Rejects with a `TypeError` when `rows` is no list of objects. A dataset that was opened asks the service, and
   * rejects with `unavailable` when there is none.
   */
  async append(rows: readonly Row[]): Promise<ObjectRef<Dataset<Row>>> {
    checkRows(rows, 'append to the dataset', 'argument');
    if (this.#rows instanceof LocalRows) {
      this.#rows.add(rows);
      return this.publish();
    }
    const appended = this.#appending.then(() => this.#appendServed(rows));
    this.#appending = appended.catch(() => undefined);
    return appended;
  }

  /** The rows in their order, each a copy of its own. Rejects like `get` when the service has to be asked. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    const ref = this.#ref;
    for await (const row of this.#rows.read()) yield this.#handOut(row, ref);
  }

  /** The row behind a reference. Rejects with `not_found` when this dataset does not have it. */
  async row(ref: ObjectRef | string): Promise<Row> {
    const digest = rowDigestOf(ref);
    const found = await this.#rows.find(digest);
    if (found) return this.#handOut(found, this.#ref);
    throw new TracingError('not_found', `Cannot read "${String(ref)}": the dataset "${this.name}" has no such row`);
  }

  /**
   * The reference of a row that was read from this dataset or given to it; `undefined` for other values, and as long
   * as the dataset is not published.
   */
  refOf(row: Row): ObjectRef<Row> | undefined {
    const digest = this.#digests.get(row);
    return digest === undefined || this.#ref === undefined ? undefined : rowRef<Row>(this.#ref, digest);
  }

  #save(name: string, rows: string): ObjectRef<Dataset<Row>> {
    const { description = null } = this;
    const fields = { ...classHeader('Dataset', []), name: this.name, description, rows };
    // Such fields are read as a dataset.
    const ref = saveObject(fields, name) as ObjectRef<Dataset<Row>>;
    // A call that is given the dataset itself records the version.
    rememberVersion(this, String(ref), []);
    this.#ref = ref;
    return ref;
  }

  /** It is stored already, under the name it was opened by. */
  #publishServed({ table }: ServedRows, name: string): ObjectRef<Dataset<Row>> {
    if (this.#ref !== undefined && name === this.#ref.name) return this.#ref;
    this.#checkProject(table.projectId);
    return this.#save(name, formatTableRef(table.projectId, table.digest));
  }

  async #appendServed(given: readonly Row[]): Promise<ObjectRef<Dataset<Row>>> {
    const served = this.#rows;
    if (served instanceof LocalRows) return this.append(given);
    this.#checkProject(served.table.projectId);
    const destination = currentDestination();
    const rows = given.map((row) => copyRow(row, destination));
    this.#rows = await served.append(rows);
    const ref = this.#save(this.#objectId, formatTableRef(this.#rows.table.projectId, this.#rows.table.digest));
    for (const row of rows) this.#learn(row, ref);
    return ref;
  }

  /** A version in one project whose rows are in another could not be read. */
  #checkProject(projectId: string): void {
    const { projectId: own } = currentDestination();
    if (projectId === own) return;
    const reason = `it belongs to the project "${projectId}", and this program records to "${own}"`;
    throw new TracingError('invalid_request', `Cannot publish the dataset "${this.name}": ${reason}`);
  }

  #learn({ original, digest, watched }: CopiedRow, ref: ObjectRef): void {
    this.#digests.set(original, digest);
    if (watched !== undefined) rememberVersion(original, rowText(ref, digest), watched);
  }

  #handOut({ digest, val }: Pick<StoredRow, 'digest' | 'val'>, ref: ObjectRef | undefined): Row {
    // The type is the caller's word for what was stored.
    const row = revive(val, this.#rows instanceof ServedRows ? this.#rows.table.projectId : undefined) as Row;
    this.#digests.set(row, digest);
    if (ref !== undefined) rememberVersion(row, rowText(ref, digest), watchAll(row));
    return row;
  }
}

/** The dataset that a stored value is; `undefined` when it is none. */
export function toDataset(value: unknown, ref: string): Dataset | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { _type: type, name, description, rows } = value as Readonly<Record<string, unknown>>;
  const parts = parseRef(ref);
  if (type !== 'Dataset' || parts.kind !== 'object' || parts.extra.length > 0) return undefined;
  if (typeof rows !== 'string' || !isRef(rows)) return undefined;
  const table = parseRef(rows);
  if (table.kind !== 'table' || table.extra.length > 0) return undefined;
  const known = recallTable(rows);
  const address = { projectId: `${table.entity}/${table.project}`, digest: table.digest };
  return openDataset({
    // Other clients take names that we do not.
    name: typeof name === 'string' ? name : parts.name,
    description: typeof description === 'string' ? description : undefined,
    rows: known === undefined ? new ServedRows(address) : new LocalRows([], { rows: known, table: address }),
    // `latest` is another version tomorrow.
    ref: new ObjectRef({ ...parts, version: digestJson(value as JsonValue), extra: [] }),
  });
}

function rowRef<Row>(dataset: ObjectRef, digest: string): ObjectRef<Row> {
  const parts = parseRef(String(dataset));
  if (parts.kind !== 'object') throw new TypeError(`"${String(dataset)}" is no reference of an object`);
  const extra = [{ edge: 'attr', value: 'rows' } as const, { edge: 'id', value: digest } as const];
  return new ObjectRef({ ...parts, extra });
}

/** The same as text, for each of very many rows: a digest needs no escapes. */
function rowText(dataset: ObjectRef, digest: string): string {
  return `${String(dataset)}/attr/rows/id/${digest}`;
}

function rowDigestOf(ref: unknown): string {
  const text = ref instanceof ObjectRef ? String(ref) : ref;
  const step = typeof text === 'string' && isRef(text) ? parseRef(text).extra.at(-1) : undefined;
  if (step?.edge === 'id') return step.value;
  const given = typeof text === 'string' ? `"${text.slice(0, 200)}"` : describe(ref);
  throw new TypeError(`Cannot read a row: the argument "ref" is ${given}, not a reference of a row`);
}

function checkOptions(options: unknown): void {
  const action = 'make the dataset';
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`Cannot ${action}: the argument "options" is ${describe(options)}, not an object`);
  const { name, rows, description } = options as Readonly<Record<string, unknown>>;
  toObjectName(name, action);
  checkRows(rows, action, 'option');
  if (description !== undefined && typeof description !== 'string')
    throw new TypeError(`Cannot ${action}: the option "description" is ${describe(description)}, not a text`);
}

function checkRows(rows: unknown, action: string, what: string): void {
  const refuse = (name: string, value: unknown, wanted: string) =>
    new TypeError(`Cannot ${action}: the ${what} "${name}" is ${describe(value)}, not ${wanted}`);
  if (!Array.isArray(rows)) throw refuse('rows', rows, 'a list');
  for (const [index, row] of rows.entries()) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw refuse(`rows[${index}]`, row, 'an object');
  }
}
