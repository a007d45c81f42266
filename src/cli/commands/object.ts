import type { ObjectVersion } from '../../protocol/object.ts';
import { formatObjectRef, parseRef, REF_SCHEME } from '../../protocol/ref.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { sourceDigestOf } from '../../reader/compare/version-text.ts';
import type { Reader } from '../../reader/reader.ts';
import { UsageError } from '../failure.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { colors } from '../output/colors.ts';
import { digestColumn, timeColumn } from '../output/columns.ts';
import { joinedLines } from '../output/joined-lines.ts';
import { printJson } from '../output/json.ts';
import { formatCount, formatTime } from '../output/numbers.ts';
import { toLine, toPlainText } from '../output/plain-text.ts';
import { tableLines } from '../output/table.ts';
import { classOf, sizeText } from './objects.ts';

export interface ObjectOptions extends ServiceOptions {
  /** A digest, `latest`, or `v<N>`. */
  readonly at?: string;
  /** Lists the versions instead of printing one. */
  readonly versions?: true;
  readonly json?: true;
}

/** Rows of a dataset that are printed. */
const MAX_ROWS = 10;

/** Prints one version of an object or op with its value, or lists the versions. */
export async function printObject(text: string, options: ObjectOptions): Promise<void> {
  const { name, version, ...asked } = targetOf(text, options);
  const { reader, project } = connect(asked);
  if (options.versions) return printVersions(reader, name, options);
  const found = await reader.objects.get(name, version);
  if (found === undefined) throw new Error(await sentenceOf(reader, name, version));
  if (options.json) return printJson(found);
  process.stdout.write(`${headLines(found, project).join('\n')}\n\n${toPlainText(await contentOf(found, reader))}\n`);
}

/** A reference names project and version, too. */
function targetOf(text: string, options: ObjectOptions): ServiceOptions & { name: string; version: string } {
  const version = options.at ?? 'latest';
  if (!text.startsWith(REF_SCHEME)) return { ...options, name: text, version };
  const ref = parseRef(text);
  if (ref.kind !== 'object' && ref.kind !== 'op') throw new UsageError(`The reference is of kind ${ref.kind}`);
  return { ...options, project: `${ref.entity}/${ref.project}`, name: ref.name, version: ref.version };
}

async function sentenceOf(reader: Reader, name: string, version: string): Promise<string> {
  const known = await reader.objects.query({ filter: { object_ids: [name] }, metadata_only: true, limit: 1 });
  const shown = toLine(name, 200);
  return known.length > 0
    ? `There is no version "${toLine(version, 100)}" of "${shown}": "spoor object ${shown} --versions" lists them`
    : `There is no object "${shown}" in this project: "spoor objects" lists them`;
}

async function printVersions(reader: Reader, name: string, { json }: ObjectOptions): Promise<void> {
  const versions = await reader.objects.query({
    filter: { object_ids: [name] },
    metadata_only: true,
    include_storage_size: true,
    sort_by: [{ field: 'created_at', direction: 'desc' }],
  });
  if (json) return printJson(versions);
  if (versions.length === 0) throw new Error(await sentenceOf(reader, name, 'latest'));
  const lines = tableLines(versions, [
    { head: 'version', cell: ({ version_index: index }) => `v${index}` },
    timeColumn(({ created_at: time }) => time),
    { head: 'size', cell: sizeText, isRight: true },
    digestColumn(),
  ]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function headLines(found: ObjectVersion, project: string): string[] {
  const facts = [
    `v${formatCount(found.version_index)}${found.is_latest === 1 ? ' (latest)' : ''}`,
    classOf(found),
    formatTime(parseDateTime(found.created_at) ?? 0),
  ];
  const ref = formatObjectRef(project, found.kind === 'op' ? 'op' : 'object', found.object_id, found.digest);
  return [
    ...joinedLines([colors.bold(toLine(found.object_id)), ...facts.filter((fact) => fact !== '')]),
    colors.dim(toLine(ref)),
  ];
}

/** The source of an op, the first rows of a dataset, and the value of everything else. */
async function contentOf({ val }: ObjectVersion, reader: Reader): Promise<string> {
  const source = sourceDigestOf(val);
  const bytes = source === undefined ? undefined : await reader.files.get(source);
  if (bytes !== undefined) return new TextDecoder().decode(bytes);
  const table = tableDigest(val);
  const text = typeof val === 'string' ? val : JSON.stringify(val, undefined, 2);
  return table === undefined ? text : [text, '', ...(await rowLines(reader, table))].join('\n');
}

function tableDigest(val: unknown): string | undefined {
  const { _type: type, rows } = asRecord(val);
  if (type !== 'Dataset' || typeof rows !== 'string' || !rows.startsWith(REF_SCHEME)) return undefined;
  const ref = parseRef(rows);
  return ref.kind === 'table' ? ref.digest : undefined;
}

async function rowLines(reader: Reader, digest: string): Promise<string[]> {
  const count = await reader.tables.count(digest);
  const rows = await reader.tables.query(digest, { limit: MAX_ROWS });
  const rest = count - rows.length;
  return [
    count === 1 ? '1 row' : `${formatCount(count)} rows`,
    ...rows.map(({ val }) => `  ${JSON.stringify(val)}`),
    ...(rest > 0 ? [`  … ${formatCount(rest)} more`] : []),
  ];
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
