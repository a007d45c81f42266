import type { ObjectVersion } from '../../protocol/object.ts';
import { type ServiceOptions, connect } from '../known-service.ts';
import { nothingFound } from '../nothing-found.ts';
import { digestColumn, timeColumn } from '../output/columns.ts';
import { printJson } from '../output/json.ts';
import { formatBytes, formatCount } from '../output/numbers.ts';
import { toLine } from '../output/plain-text.ts';
import { remark } from '../output/say.ts';
import { tableLines } from '../output/table.ts';

export interface ObjectsOptions extends ServiceOptions {
  readonly limit: number;
  readonly ops?: true;
  readonly json?: true;
}

/** Lists the newest version of each object, or of each op, the newest first. */
export async function printObjects(options: ObjectsOptions): Promise<void> {
  const connection = connect(options);
  const versions = await connection.reader.objects.query({
    filter: { latest_only: true, is_op: options.ops === true },
    metadata_only: true,
    include_storage_size: true,
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit: options.limit,
  });
  if (options.json) return printJson(versions);
  const things = options.ops ? 'ops' : 'objects';
  if (versions.length === 0) remark(await nothingFound(things, connection));
  else process.stdout.write(`${objectLines(versions).join('\n')}\n`);
}

function objectLines(versions: readonly ObjectVersion[]): string[] {
  return tableLines(versions, [
    timeColumn(({ created_at: time }) => time),
    { head: 'name', cell: ({ object_id: id }) => toLine(id, 60), least: 16 },
    { head: 'class', cell: (version) => toLine(classOf(version), 40), least: 8, rank: 2 },
    { head: 'versions', cell: ({ version_index: index }) => formatCount(index + 1), isRight: true },
    { head: 'size', cell: sizeText, isRight: true, rank: 1 },
    digestColumn(),
  ]);
}

export function classOf({ kind, leaf_object_class: leaf, base_object_class: base }: ObjectVersion): string {
  return leaf ?? base ?? (kind === 'op' ? 'op' : '');
}

export function sizeText({ size_bytes: bytes }: ObjectVersion): string {
  return bytes === null ? '' : formatBytes(bytes);
}
