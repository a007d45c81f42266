import * as spoor from 'spoor/server';

type Version = { -readonly [Key in keyof spoor.StoredObject]: spoor.StoredObject[Key] } & { deletion?: string };

/** Versions of objects in one list, oldest first. */
export class Objects implements spoor.ObjectStore {
  readonly #versions: Version[] = [];

  async create(object: spoor.NewObject): Promise<void> {
    const named = this.#named(object.project_id, object.object_id);
    const lineage = named.filter(({ kind }) => kind === object.kind);
    const known = lineage.find((version) => spoor.isThere(version) && version.digest === object.digest);
    spoor.makeLatest(lineage, known);
    if (known !== undefined) return;
    const created_at = Math.max(object.created_at, ...named.map((version) => version.created_at + 1));
    const place = { version_index: lineage.length, is_latest: true, deleted_at: null };
    this.#versions.push({ ...object, ...place, created_at, size_bytes: Buffer.byteLength(object.val) });
  }

  async get(projectId: string, objectId: string, version: string, { metadataOnly = false } = {}) {
    const found = this.#find(projectId, objectId, version);
    return found && copyOf(found, metadataOnly);
  }

  async query(plan: spoor.ObjectPlan, options?: spoor.ListOptions): Promise<spoor.StoredObject[]> {
    const copies = this.#versions.map((version) => copyOf(version, plan.metadataOnly));
    return spoor.pageOfObjects(copies, plan, options);
  }

  async delete(projectId: string, objectId: string, names: readonly string[], deleted_at: number, deletion?: string) {
    const all = this.#named(projectId, objectId);
    const before = all.filter((version) => deletion !== undefined && version.deletion === deletion);
    if (before.length > 0) return before.map(spoor.deletedVersion);
    const meant =
      names.length === 0 ? all.filter(spoor.isThere) : names.map((name) => this.#find(projectId, objectId, name));
    if (meant.length === 0 || !meant.every((version) => version !== undefined && spoor.isThere(version))) {
      throw new spoor.TracingError('not_found', `Cannot delete versions of object "${objectId}": no such version`);
    }
    const deleted = all.filter((version) => meant.includes(version));
    for (const version of deleted) Object.assign(version, { deleted_at, deletion, val: null });
    for (const { kind } of deleted.filter(({ is_latest }) => is_latest)) {
      const lineage = all.filter((version) => version.kind === kind);
      spoor.makeLatest(lineage, lineage.findLast(spoor.isThere));
    }
    return deleted.map(spoor.deletedVersion);
  }

  #named(projectId: string, objectId: string): Version[] {
    return this.#versions.filter(({ project_id, object_id }) => project_id === projectId && object_id === objectId);
  }

  #find(projectId: string, objectId: string, name: string): Version | undefined {
    return spoor.versionNamed(this.#named(projectId, objectId), name);
  }
}

function copyOf({ deletion: _key, ...version }: Version, isMetadataOnly: boolean): spoor.StoredObject {
  return { ...version, val: isMetadataOnly ? null : version.val };
}
