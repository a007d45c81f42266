import type { ObjectPlan } from '../plan.ts';
import type { NewObject, ObjectStore, StoredObject } from '../storage.ts';
import { compareObjects, isWanted } from './match-objects.ts';

type Version = NewObject & { readonly versionIndex: number };

/** The versions of one kind of one name, oldest first. */
interface Lineage {
  readonly versions: Version[];
  latest: Version | undefined;
}

export class MemoryObjects implements ObjectStore {
  readonly #lineages = new Map<string, Lineage>();

  async create(object: NewObject): Promise<void> {
    const lineage = this.#lineage(object.project_id, object.object_id, object.kind);
    const known = lineage.versions.find(({ digest }) => digest === object.digest);
    lineage.latest = known ?? { ...this.#inOrder(object), versionIndex: lineage.versions.length };
    if (known === undefined) lineage.versions.push(lineage.latest);
  }

  async get(
    projectId: string,
    objectId: string,
    version: string,
    options: { readonly metadataOnly?: boolean } = {},
  ): Promise<StoredObject | undefined> {
    const [object, op] = this.#kindsOf(projectId, objectId);
    const named = object.versions.length > 0 ? object : op;
    if (version === 'latest') return found(named, named.latest, options);
    if (/^v\d+$/.test(version)) return found(named, named.versions[Number(version.slice(1))], options);
    for (const lineage of [object, op]) {
      const match = lineage.versions.find(({ digest }) => digest === version);
      if (match !== undefined) return found(lineage, match, options);
    }
    return undefined;
  }

  async query(plan: ObjectPlan): Promise<StoredObject[]> {
    const { metadataOnly, offset, limit = Infinity } = plan;
    const stored = [...this.#lineages.values()].flatMap((lineage) =>
      lineage.versions.map((version) => storedVersion(lineage, version, { metadataOnly })),
    );
    const wanted = stored.filter((object) => isWanted(object, plan));
    return wanted.sort((a, b) => compareObjects(a, b, plan.sort)).slice(offset, offset + limit);
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
}

function found(
  lineage: Lineage,
  version: Version | undefined,
  options: { readonly metadataOnly?: boolean },
): StoredObject | undefined {
  return version && storedVersion(lineage, version, options);
}

function storedVersion(lineage: Lineage, version: Version, options: { readonly metadataOnly?: boolean }): StoredObject {
  const { val, versionIndex, ...object } = version;
  return {
    ...object,
    val: options.metadataOnly === true ? null : val,
    version_index: versionIndex,
    is_latest: version === lineage.latest,
    size_bytes: Buffer.byteLength(val),
    deleted_at: null,
  };
}
