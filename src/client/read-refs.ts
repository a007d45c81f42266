import { digestTable } from '../protocol/values/digest.ts';
import { TracingError } from '../protocol/error.ts';
import { formatRef, isRef, type ObjectRefParts, parseRef, type RefParts, type TableRefParts } from '../protocol/ref.ts';
import type { Reader } from '../reader/reader.ts';

export type RefResult =
  | { readonly isFound: true; readonly value: unknown }
  | { readonly isFound: false; readonly error: unknown };

/** References that one request may ask for. */
const MAX_REFS = 1000;

/** The values behind references, in their order: in one request where the service can, which takes fixed versions. */
export async function readRefs(reader: Reader, refs: readonly string[]): Promise<RefResult[]> {
  const results = new Map<string, RefResult>();
  const read = async (ref: string, value: Promise<unknown>) => void results.set(ref, await settled(value));
  const together: string[] = [];
  const alone: Promise<void>[] = [];
  for (const ref of refs) {
    const parts = parseRef(ref);
    if (isWholeTable(parts)) alone.push(read(ref, readTable(reader, parts, ref)));
    else if (isNamedVersion(parts)) alone.push(read(ref, readNamed(reader, parts, ref)));
    else together.push(ref);
  }
  for (let from = 0; from < together.length; from += MAX_REFS) {
    alone.push(readTogether(reader, together.slice(from, from + MAX_REFS), results));
  }
  await Promise.all(alone);
  return refs.map((ref) => results.get(ref) ?? { isFound: false, error: notFound(ref) });
}

/** One reference that cannot be read costs the whole request, so it is looked for and left out. */
async function readTogether(reader: Reader, refs: readonly string[], results: Map<string, RefResult>): Promise<void> {
  try {
    const values = await reader.refs.read(refs);
    const read = refs.map(async (ref, index) =>
      results.set(ref, await settled(withoutDoubt(reader, ref, values[index]))),
    );
    await Promise.all(read);
  } catch (error) {
    const [bad, rest] = blame(refs, error);
    for (const ref of bad) results.set(ref, { isFound: false, error });
    await Promise.all(rest.map((part) => readTogether(reader, part, results)));
  }
}

/** Errors that may concern one reference of many. */
const OF_ONE_REF = new Set(['not_found', 'object_deleted', 'forbidden', 'invalid_ref', 'payload_too_large']);

/** The references that an error is about, and those to read again, in groups. */
function blame(refs: readonly string[], error: unknown): [readonly string[], string[][]] {
  if (refs.length === 1 || !(error instanceof TracingError) || !OF_ONE_REF.has(error.code)) return [refs, []];
  const missing = error.extra['missing_object_digests'];
  const isMissing = (ref: string) => Array.isArray(missing) && missing.includes(versionOf(parseRef(ref)));
  const bad = refs.filter(isMissing);
  if (bad.length > 0) return [bad, bad.length < refs.length ? [refs.filter((ref) => !isMissing(ref))] : []];
  const middle = Math.ceil(refs.length / 2);
  return [[], [refs.slice(0, middle), refs.slice(middle)]];
}

/** The service answers null for null, for what is deleted, and where a path leads nowhere. */
async function withoutDoubt(reader: Reader, ref: string, value: unknown): Promise<unknown> {
  if (value !== null) return value;
  const parts = parseRef(ref);
  const step = parts.extra.at(-1);
  if (step !== undefined && parts.kind !== 'table') {
    const around = await readOne(reader, formatRef({ ...parts, extra: parts.extra.slice(0, -1) }));
    if (hasMember(await followed(reader, around), step.value)) return null;
  } else if (parts.kind === 'object' || parts.kind === 'op') {
    const found = await reader.objects.get(parts.name, parts.version, { project_id: projectOf(parts) });
    if (found?.val === null) return null;
  }
  throw notFound(ref);
}

async function readOne(reader: Reader, ref: string): Promise<unknown> {
  const [value] = await reader.refs.read([ref]);
  return value;
}

/** A path goes on behind a reference, so its last step may lie there. */
async function followed(reader: Reader, value: unknown): Promise<unknown> {
  let here = value;
  while (typeof here === 'string' && isRef(here)) here = await readOne(reader, here);
  return here;
}

function hasMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name !== 'length' && Object.hasOwn(value, name);
}

/** `latest` and `v<N>` mean another version tomorrow, so they are looked up first. */
async function readNamed(reader: Reader, parts: ObjectRefParts, ref: string): Promise<unknown> {
  const isWhole = parts.extra.length === 0;
  const found = await findVersion(reader, parts, isWhole);
  if (found === undefined) throw notFound(ref);
  if (isWhole) return found.val;
  const fixed = formatRef({ ...parts, version: found.digest });
  return withoutDoubt(reader, fixed, await readOne(reader, fixed));
}

/** Where an object and an op bear one name, the service means the object. */
async function findVersion(reader: Reader, parts: ObjectRefParts, isWhole: boolean) {
  const { name, version, kind } = parts;
  const project_id = projectOf(parts);
  const found = await reader.objects.get(name, version, { project_id, metadata_only: !isWhole });
  if (found === undefined || found.kind === kind) return found;
  const isLatest = version === 'latest';
  const filter = { object_ids: [name], is_op: kind === 'op', latest_only: isLatest };
  const versions = await reader.objects.query({ project_id, filter, metadata_only: !isWhole });
  return versions.find(({ version_index: index }) => isLatest || `v${index}` === version);
}

/** A table that nobody wrote has no rows either. */
async function readTable(reader: Reader, parts: TableRefParts, ref: string): Promise<unknown> {
  const rows: unknown[] = [];
  const pages = reader.tables.pages(parts.digest, { project_id: projectOf(parts) });
  for await (const page of pages) for (const { val } of page) rows.push(val);
  if (rows.length === 0 && parts.digest !== digestTable([])) throw notFound(ref);
  return rows;
}

async function settled(value: Promise<unknown>): Promise<RefResult> {
  try {
    return { isFound: true, value: await value };
  } catch (error) {
    return { isFound: false, error };
  }
}

function isWholeTable(parts: RefParts): parts is TableRefParts {
  return parts.kind === 'table' && parts.extra.length === 0;
}

function isNamedVersion(parts: RefParts): parts is ObjectRefParts {
  return (parts.kind === 'object' || parts.kind === 'op') && /^(?:latest|v\d+)$/.test(parts.version);
}

function versionOf(parts: RefParts): string | undefined {
  return parts.kind === 'object' || parts.kind === 'op' ? parts.version : undefined;
}

function projectOf({ entity, project }: RefParts): string {
  return `${entity}/${project}`;
}

function notFound(ref: string): TracingError {
  return new TracingError('not_found', `Cannot read "${ref}": it does not exist`);
}
