import { TracingError } from '../../protocol/error.ts';
import type { ObjectVersion } from '../../protocol/object.ts';
import type { FilesApi } from '../files.ts';
import type { ObjectsApi } from '../objects.ts';
import type { RequestOptions } from '../request.ts';

/** The part of a reader that is needed. */
interface VersionReader {
  readonly objects: Pick<ObjectsApi, 'get'>;
  readonly files: Pick<FilesApi, 'get'>;
}

/** A version of an op or object by its digest. */
export interface NamedVersion {
  readonly name: string;
  readonly digest: string;
  /** @default the project of the reader */
  readonly project_id?: string | undefined;
}

/** A version as it can be compared line by line. */
export interface VersionText {
  /** The versions of a name are counted from 0. */
  readonly index: number;
  /** The source of an op, and the value of an object: a text as it is, everything else as JSON. */
  readonly text: string;
}

/** `undefined` where the service has no such version, or no longer. */
export async function versionText(
  reader: VersionReader,
  version: NamedVersion,
  options: RequestOptions = {},
): Promise<VersionText | undefined> {
  const found = await readVersion(reader, version, options);
  if (found === undefined) return undefined;
  const source = sourceDigestOf(found.val);
  const bytes = source === undefined ? undefined : await reader.files.get(source, { ...placeOf(version), ...options });
  const text = bytes === undefined ? textOf(found.val) : new TextDecoder().decode(bytes);
  return { index: found.version_index, text };
}

/** The number of a version alone. */
export async function versionIndex(
  reader: Pick<VersionReader, 'objects'>,
  version: NamedVersion,
  options: RequestOptions = {},
): Promise<number | undefined> {
  return (await readVersion(reader, version, { ...options, metadata_only: true }))?.version_index;
}

async function readVersion(
  reader: Pick<VersionReader, 'objects'>,
  version: NamedVersion,
  options: RequestOptions & { readonly metadata_only?: boolean },
): Promise<ObjectVersion | undefined> {
  return reader.objects
    .get(version.name, version.digest, { ...placeOf(version), ...options })
    .catch(undefinedIfDeleted);
}

function placeOf({ project_id: project }: NamedVersion): { readonly project_id?: string } {
  return project === undefined ? {} : { project_id: project };
}

function undefinedIfDeleted(error: unknown): undefined {
  if (error instanceof TracingError && error.code === 'object_deleted') return undefined;
  throw error;
}

/** The digest of the file with the source of an op; `undefined` for values of objects. */
export function sourceDigestOf(value: unknown): string | undefined {
  const { _type: type, svc_type: kind, files } = asRecord(value);
  if (type !== 'CustomType' || asRecord(kind)['type'] !== 'Op') return undefined;
  const source = Object.entries(asRecord(files)).find(([name]) => name.startsWith('obj.'));
  return typeof source?.[1] === 'string' ? source[1] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
