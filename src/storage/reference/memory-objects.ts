import { TracingError } from '../../protocol/error.ts';
import type { ObjectPlan } from '../contract/plan.ts';
import type { DeletedVersion, NewObject, ObjectStore, StoredObject } from '../contract/objects.ts';
import type { ListOptions } from '../contract/reads.ts';
import { deletedVersion, isThere, makeLatest, versionNamed } from '../values/object-versions.ts';
import { pageOfObjects } from '../values/pages.ts';

interface Version extends NewObject {
  readonly version_index: number;
  is_latest: boolean;
  deleted_at: number | null;
  /** Key of the deletion. */
  deletion?: string | undefined;
}

/** The versions of one kind of one name, oldest first; one of those that are there is the latest. */
type Lineage = Version[];

export class MemoryObjects implements ObjectStore {
  readonly #lineages = new Map<string, Lineage>();

  async create(object: NewObject): Promise<void> {
    const lineage = this.#lineage(object.project_id, object.object_id, object.kind);
    const known = lineage.find((version) => isThere(version) && version.digest === object.digest);
    makeLatest(lineage, known);
    if (known !== undefined) return;
    const place = { version_index: lineage.length, is_latest: true, deleted_at: null };
    lineage.push({ ...this.#inOrder(object), ...place });
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
    const versions = [...this.#lineages.values()].flat();
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
    const all = this.#kindsOf(projectId, objectId).flat();
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
    version.deleted_at = deletedAt;
    version.deletion = key;
    const lineage = this.#lineage(version.project_id, version.object_id, version.kind);
    if (version.is_latest) makeLatest(lineage, lineage.findLast(isThere));
  }

  #find(projectId: string, objectId: string, name: string): Version | undefined {
    return versionNamed(this.#kindsOf(projectId, objectId).flat(), name);
  }

  /** Times grow strictly within a name, over both of its kinds. */
  #inOrder(object: NewObject): NewObject {
    const lineages = this.#kindsOf(object.project_id, object.object_id);
    const earlier = lineages.flat().map((version) => version.created_at);
    return { ...object, created_at: Math.max(object.created_at, ...earlier.map((time) => time + 1)) };
  }

  #kindsOf(projectId: string, objectId: string): [Lineage, Lineage] {
    return [this.#lineage(projectId, objectId, 'object'), this.#lineage(projectId, objectId, 'op')];
  }

  #lineage(projectId: string, objectId: string, kind: 'op' | 'object'): Lineage {
    const key = JSON.stringify([projectId, objectId, kind]);
    const lineage = this.#lineages.get(key) ?? [];
    this.#lineages.set(key, lineage);
    return lineage;
  }

  #stored(version: Version, options: { readonly metadataOnly?: boolean }): StoredObject {
    const { val, deletion: _key, ...object } = version;
    const isShown = options.metadataOnly !== true && isThere(version);
    return { ...object, val: isShown ? val : null, size_bytes: Buffer.byteLength(val) };
  }
}

function inOrder(deleted: Version[]): DeletedVersion[] {
  return deleted.sort((a, b) => a.created_at - b.created_at).map(deletedVersion);
}
