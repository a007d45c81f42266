import { TracingError } from '../../protocol/error.ts';
import type { DeletedVersion, NewObject, ObjectStore, StoredObject } from '../contract/objects.ts';
import type { ObjectPlan } from '../contract/plan.ts';
import type { ListOptions } from '../contract/reads.ts';
import { bind, raw, type Sql, sql } from '../sql/sql.ts';
import { boundedList } from '../values/list-bound.ts';
import { deletedVersion, isThere, versionNamed } from '../values/object-versions.ts';
import { pageOfObjects } from '../values/pages.ts';
import type { Connection } from './connection.ts';
import { bindTexts } from './statement.ts';
import { grouped } from './write/grouped.ts';
import { inParts } from './write/in-parts.ts';
import { mustBeThere } from './write/must-be-there.ts';
import { Turns } from './write/turns.ts';
import { nextTime, sawTime } from './write/version-clock.ts';

/** A row of `objects` without its value; `latest_at` grows whenever a version is made the latest of its kind. */
interface VersionRow {
  readonly object_id: string;
  readonly kind: 'op' | 'object';
  readonly digest: string;
  readonly created_at: number;
  readonly size_bytes: number;
  readonly base_object_class: string | null;
  readonly leaf_object_class: string | null;
  readonly user_id: string;
  readonly latest_at: number;
  readonly deleted_at: number | null;
  readonly deletion: string | null;
  readonly ver: number;
}

interface Version extends VersionRow, Pick<StoredObject, 'version_index' | 'is_latest'> {
  /** Other rows of it: two services that publish one value at one moment write two, of which the older one counts. */
  readonly twins: readonly VersionRow[];
}

const COLUMNS =
  'object_id, kind, digest, created_at, size_bytes, base_object_class, leaf_object_class, user_id, latest_at, deleted_at, deletion, ver';

/** Values that are read together. */
const MAX_VALUES = 50;

/**
 * Versions of objects. Their numbers are places in the order of creation, found at every read: so two services may publish
 * versions of one name at once, and none is lost or numbered twice.
 */
export class ClickhouseObjects implements ObjectStore {
  readonly #connection: Connection;
  readonly #turns = new Turns();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create(object: NewObject): Promise<void> {
    await this.#turns.run(() => this.#create(object));
  }

  async get(
    projectId: string,
    objectId: string,
    name: string,
    { metadataOnly }: { readonly metadataOnly?: boolean } = {},
  ): Promise<StoredObject | undefined> {
    const found = versionNamed(await this.#versions(projectId, [objectId]), name);
    if (found === undefined) return undefined;
    const [stored] = await this.#withValues(projectId, [storedVersion(projectId, found)], metadataOnly === true);
    return stored;
  }

  async query(plan: ObjectPlan, options: ListOptions = {}): Promise<StoredObject[]> {
    const { projectId, metadataOnly } = plan;
    const versions = await this.#versions(projectId, plan.objectIds);
    const page = pageOfObjects(
      versions.map((version) => storedVersion(projectId, version)),
      plan,
      options,
    );
    const found = await this.#withValues(projectId, page, metadataOnly, options);
    return boundedList(found, ({ val }) => val, options.maxCharacters);
  }

  async delete(
    projectId: string,
    objectId: string,
    names: readonly string[],
    deletedAt: number,
    key?: string,
  ): Promise<DeletedVersion[]> {
    return await this.#turns.run(async () => {
      const all = await this.#versions(projectId, [objectId]);
      const before = all.filter(({ deletion }) => key !== undefined && deletion === key);
      if (before.length > 0) return inOrder(before);
      const deleted = toDelete(objectId, all, names);
      await this.#hide(projectId, all, deleted, { deletedAt, key });
      return inOrder(deleted);
    });
  }

  async #create(object: NewObject): Promise<void> {
    const all = await this.#versions(object.project_id, [object.object_id]);
    const known = all.find((one) => one.kind === object.kind && one.digest === object.digest && isThere(one));
    if (known !== undefined) {
      if (!known.is_latest) await this.#store(object.project_id, [{ ...known, latest_at: nextTime() }]);
      return;
    }
    const { project_id, object_id, kind, digest, val, base_object_class, leaf_object_class } = object;
    const created_at = Math.max(object.created_at, ...all.map((version) => version.created_at + 1));
    const names = { object_id, kind, digest, created_at, base_object_class, leaf_object_class };
    const rest = { user_id: object.svc_user_id, size_bytes: Buffer.byteLength(val), latest_at: nextTime() };
    const row = { project_id, ...names, ...rest, val, deleted_at: null, deletion: null, ver: nextTime() };
    await this.#connection.insert('objects', [row]);
  }

  /** Values go with the versions; a latest that goes is followed by the greatest number that stays. */
  async #hide(
    projectId: string,
    all: readonly Version[],
    deleted: readonly Version[],
    { deletedAt, key }: { readonly deletedAt: number; readonly key: string | undefined },
  ): Promise<void> {
    const gone = deleted.flatMap((version) => {
      // Rows of one version stay known as such by what has hidden them.
      const hidden = { val: '', deleted_at: deletedAt, deletion: key ?? null, ver: nextTime() };
      return [columnsOf(projectId, version), ...version.twins].map((row) => ({
        ...row,
        project_id: projectId,
        ...hidden,
      }));
    });
    const latest = deleted
      .filter((version) => version.is_latest)
      .flatMap(({ kind }) => {
        return all.findLast((one) => one.kind === kind && isThere(one) && !deleted.includes(one)) ?? [];
      });
    await this.#store(
      projectId,
      latest.map((version) => ({ ...version, latest_at: nextTime() })),
    );
    await this.#connection.insert('objects', gone);
  }

  /** Writes versions anew, with the values that they have: those do not travel through this process. */
  async #store(projectId: string, versions: readonly Version[]): Promise<void> {
    for (const version of versions) {
      const places = sql`project_id = ${bind(projectId)} AND object_id = ${bind(version.object_id)}
        AND kind = ${bind(version.kind)} AND digest = ${bind(version.digest)} AND created_at = ${bind(version.created_at)} AND deleted_at IS NULL`;
      await this.#connection.command(
        sql`INSERT INTO objects SELECT * REPLACE (${bind(version.latest_at)} AS latest_at, toUInt64(${bind(nextTime())}) AS ver)
          FROM objects FINAL WHERE ${places} AND ${mustBeThere(sql`objects FINAL WHERE ${places}`)} = 0`,
      );
    }
  }

  /** Versions by kind and number, of all names or of some. */
  async #versions(projectId: string, objectIds?: readonly string[]): Promise<Version[]> {
    const names = objectIds === undefined ? sql`` : sql` AND object_id IN ${bindTexts(objectIds)}`;
    const rows = await this.#connection.all<VersionRow>(
      sql`SELECT ${raw(COLUMNS)} FROM objects FINAL WHERE project_id = ${bind(projectId)}${names}
        ORDER BY object_id, kind, created_at, digest`,
    );
    for (const { ver, latest_at } of rows) sawTime(Math.max(ver, latest_at));
    return [...grouped(rows, ({ object_id, kind }) => `${kind} ${object_id}`).values()].flatMap(numbered);
  }

  /** The versions with their values, where they are asked for and there. */
  async #withValues(
    projectId: string,
    versions: readonly StoredObject[],
    metadataOnly: boolean,
    { maxCharacters = Infinity }: ListOptions = {},
  ): Promise<StoredObject[]> {
    if (metadataOnly) return [...versions];
    const all: StoredObject[] = [];
    let characters = 0;
    for (let index = 0; index < versions.length && characters <= maxCharacters; index += MAX_VALUES) {
      const part = await this.#partWithValues(projectId, versions.slice(index, index + MAX_VALUES));
      characters += part.reduce((sum, { val }) => sum + (val?.length ?? 0), 0);
      all.push(...part);
    }
    return all;
  }

  async #partWithValues(projectId: string, versions: readonly StoredObject[]): Promise<StoredObject[]> {
    const there = versions.filter(isThere);
    const rows = await inParts(there, (part) => this.#connection.all<ValueRow>(printValues(projectId, part)));
    const values = new Map(rows.map((row) => [placeOf(row), row.val]));
    return versions.map((version) => ({
      ...version,
      val: isThere(version) ? (values.get(placeOf(version)) ?? null) : null,
    }));
  }
}

type ValueRow = Pick<VersionRow, 'object_id' | 'kind' | 'digest' | 'created_at'> & { readonly val: string };

function printValues(projectId: string, versions: readonly StoredObject[]): Sql {
  const names = [...new Set(versions.map((version) => version.object_id))];
  const digests = [...new Set(versions.map(({ digest }) => digest))];
  return sql`SELECT object_id, kind, digest, created_at, val FROM objects FINAL WHERE project_id = ${bind(projectId)}
    AND object_id IN ${bindTexts(names)} AND digest IN ${bindTexts(digests)}`;
}

function placeOf({ object_id, kind, digest, created_at }: Omit<ValueRow, 'val'>): string {
  return JSON.stringify([object_id, kind, digest, created_at]);
}

/** Of those that are there the one that was made the latest last is the latest. */
function numbered(all: readonly VersionRow[]): Version[] {
  const rows = withTwins(all);
  const times = rows.filter(isThere).map((row) => row.latest_at);
  const latest = times.length === 0 ? undefined : Math.max(...times);
  return rows.map((row, index) => ({
    ...row,
    version_index: index,
    is_latest: isThere(row) && row.latest_at === latest,
  }));
}

/** One row of each version, the oldest, and made the latest when any of its rows was. */
function withTwins(rows: readonly VersionRow[]): (VersionRow & Pick<Version, 'twins'>)[] {
  const same = grouped(rows, (row) => `${row.digest} ${isThere(row) ? '' : row.ver}`);
  return [...same.values()].flatMap(([first, ...twins]) => {
    return first === undefined
      ? []
      : [{ ...first, latest_at: Math.max(first.latest_at, ...twins.map(latestAt)), twins }];
  });
}

function latestAt(row: VersionRow): number {
  return row.latest_at;
}

function toDelete(objectId: string, all: readonly Version[], names: readonly string[]): Version[] {
  const there = all.filter(isThere);
  const named = names.length === 0 ? there : names.map((name) => versionNamed(all, name));
  if (named.length === 0 || !named.every((version) => version !== undefined && isThere(version))) {
    throw new TracingError('not_found', `Cannot delete versions of object "${objectId}": no such version`);
  }
  return there.filter((version) => named.includes(version));
}

function inOrder(versions: readonly Version[]): DeletedVersion[] {
  return versions.toSorted((a, b) => a.created_at - b.created_at).map(deletedVersion);
}

function storedVersion(projectId: string, version: Version): StoredObject {
  const { object_id, kind, digest, created_at, size_bytes, base_object_class, leaf_object_class } = version;
  const { user_id: svc_user_id, version_index, is_latest, deleted_at } = version;
  const names = { project_id: projectId, object_id, kind, digest, created_at, base_object_class, leaf_object_class };
  return { ...names, val: null, svc_user_id, version_index, is_latest, size_bytes, deleted_at };
}

function columnsOf(
  projectId: string,
  { version_index: _index, is_latest: _latest, twins: _twins, ...columns }: Version,
) {
  return { project_id: projectId, ...columns };
}
