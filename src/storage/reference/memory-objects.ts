import { TracingError } from '../../protocol/error.ts';
import type { ObjectPlan } from '../contract/plan.ts';
import type { DeletedVersion, NewObject, ObjectStore, StoredObject } from '../contract/objects.ts';
import type { ListOptions } from '../contract/reads.ts';
import { pageOfObjects } from '../values/pages.ts';

interface Version extends NewObject {
  readonly versionIndex: number;
  deletedAt: number | null;
  /** Key of the deletion. */
  deletion?: string | undefined;
}

/** The versions of one kind of one name, oldest first. */
interface Lineage {
  readonly versions: Version[];
  /** One of the versions that are there, or undefined when there is none. */
  latest: Version | undefined;
}

export class MemoryObjects implements ObjectStore {
  readonly #lineages = new Map<string, Lineage>();

  async create(object: NewObject): Promise<void> {
    const lineage = this.#lineage(object.project_id, object.object_id, object.kind);
    const known = lineage.versions.find((version) => isThere(version) && version.digest === object.digest);
    const versionIndex = lineage.versions.length;
    lineage.latest = known ?? { ...this.#inOrder(object), versionIndex, deletedAt: null };
    if (known === undefined) lineage.versions.push(lineage.latest);
  }

  async get(
    projectId: string,
    objectId: string,
    version: string,
    options: { readonly metadataOnly?: boolean } = {},
  ): Promise<StoredObject | undefined> {
    const found = this.#find(projectId, objectId, version);
    return found && this.#stored(found, options);
  }

  async query(plan: ObjectPlan, options?: ListOptions): Promise<StoredObject[]> {
    const { metadataOnly } = plan;
    const versions = [...this.#lineages.values()].flatMap((lineage) => lineage.versions);
    const stored = versions.map((version) => this.#stored(version, { metadataOnly }));
    return pageOfObjects(stored, plan, options);
  }

  async delete(
    projectId: string,
    objectId: string,
    versions: readonly string[],
    deletedAt: number,
    key?: string,
  ): Promise<DeletedVersion[]> {
    const all = this.#kindsOf(projectId, objectId).flatMap((lineage) => lineage.versions);
    const before = all.filter(({ deletion }) => key !== undefined && deletion === key);
    if (before.length > 0) return inOrder(before);
    const there = all.filter(isThere);
    const named = versions.length === 0 ? there : versions.map((name) => this.#find(projectId, objectId, name));
    if (named.length === 0 || !named.every((version) => version !== undefined && isThere(version))) {
      throw new TracingError('not_found', `Cannot delete versions of object "${objectId}": no such version`);
    }
    const deleted = there.filter((version) => named.includes(version));
    for (const version of deleted) this.#delete(version, deletedAt, key);
    return inOrder(deleted);
  }

  #delete(version: Version, deletedAt: number, key: string | undefined): void {
    version.deletedAt = deletedAt;
    version.deletion = key;
    const lineage = this.#lineage(version.project_id, version.object_id, version.kind);
    if (lineage.latest === version) lineage.latest = lineage.versions.findLast(isThere);
  }

  #find(projectId: string, objectId: string, name: string): Version | undefined {
    const [object, op] = this.#kindsOf(projectId, objectId);
    const named = object.versions.length > 0 ? object : op;
    if (name === 'latest') return named.latest ?? lastDeleted(named.versions);
    if (/^v\d+$/.test(name)) return named.versions[Number(name.slice(1))];
    const matches = [...object.versions, ...op.versions].filter(({ digest }) => digest === name);
    return matches.find(isThere) ?? matches.at(-1);
  }

  /** Times grow strictly within a name, over both of its kinds. */
  #inOrder(object: NewObject): NewObject {
    const lineages = this.#kindsOf(object.project_id, object.object_id);
    const earlier = lineages.flatMap(({ versions }) => versions.map((version) => version.created_at));
    return { ...object, created_at: Math.max(object.created_at, ...earlier.map((time) => time + 1)) };
  }

  #kindsOf(projectId: string, objectId: string): [Lineage, Lineage] {
    return [this.#lineage(projectId, objectId, 'object'), this.#lineage(projectId, objectId, 'op')];
  }

  #lineage(projectId: string, objectId: string, kind: 'op' | 'object'): Lineage {
    const key = JSON.stringify([projectId, objectId, kind]);
    const lineage = this.#lineages.get(key) ?? { versions: [], latest: undefined };
    this.#lineages.set(key, lineage);
    return lineage;
  }

  #stored(version: Version, options: { readonly metadataOnly?: boolean }): StoredObject {
    const { val, versionIndex, deletedAt, deletion: _key, ...object } = version;
    return {
      ...object,
      val: options.metadataOnly === true || deletedAt !== null ? null : val,
      version_index: versionIndex,
      is_latest: this.#lineage(object.project_id, object.object_id, object.kind).latest === version,
      size_bytes: Buffer.byteLength(val),
      deleted_at: deletedAt,
    };
  }
}

function isThere({ deletedAt }: Version): boolean {
  return deletedAt === null;
}

/** Of several that were deleted at once the one with the greatest number. */
function lastDeleted(versions: readonly Version[]): Version | undefined {
  return versions.toSorted((a, b) => (a.deletedAt ?? 0) - (b.deletedAt ?? 0)).at(-1);
}

function inOrder(deleted: Version[]): DeletedVersion[] {
  return deleted.sort((a, b) => a.created_at - b.created_at).map(deletedVersion);
}

function deletedVersion({ digest, base_object_class, leaf_object_class }: Version): DeletedVersion {
  return { digest, base_object_class, leaf_object_class };
}
