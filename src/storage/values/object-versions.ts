import type { DeletedVersion, NewObject, StoredObject } from '../contract/objects.ts';

/** Members that tell which version a name means. */
interface NamedVersion extends Pick<StoredObject, 'kind' | 'digest' | 'deleted_at'> {
  is_latest: boolean;
}

/** The version of an object that `latest`, `v<N>` or a digest means; all of one name are given, those of each kind oldest first. */
export function versionNamed<Version extends NamedVersion>(all: readonly Version[], name: string): Version | undefined {
  const objects = all.filter(({ kind }) => kind === 'object');
  const lineage = objects.length > 0 ? objects : all;
  if (name === 'latest') return lineage.find(({ is_latest: isLatest }) => isLatest) ?? lastDeleted(lineage);
  if (/^v\d+$/.test(name)) return lineage[Number(name.slice(1))];
  const matches = all.filter(({ digest }) => digest === name);
  return matches.find(isThere) ?? matches.at(-1);
}

/** Makes one of the versions of a kind the latest of them, or none. */
export function makeLatest<Version extends NamedVersion>(lineage: readonly Version[], latest?: Version): void {
  for (const version of lineage) version.is_latest = version === latest;
}

/** Is a version not deleted? */
export function isThere({ deleted_at: deletedAt }: Pick<StoredObject, 'deleted_at'>): boolean {
  return deletedAt === null;
}

/** A version as its deletion tells it. */
export function deletedVersion({
  digest,
  base_object_class,
  leaf_object_class,
}: Pick<NewObject, keyof DeletedVersion>): DeletedVersion {
  return { digest, base_object_class, leaf_object_class };
}

/** Of several that were deleted at once the one with the greatest number. */
function lastDeleted<Version extends NamedVersion>(versions: readonly Version[]): Version | undefined {
  return versions.toSorted((a, b) => (a.deleted_at ?? 0) - (b.deleted_at ?? 0)).at(-1);
}
