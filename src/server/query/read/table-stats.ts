import { TracingError } from '../../../protocol/error.ts';
import type {
  TableQueryStatsBatchRequest,
  TableQueryStatsBatchResponse,
  TableQueryStatsRequest,
  TableQueryStatsResponse,
} from '../../../protocol/table.ts';
import type { TableStore } from '../../../storage/contract/tables.ts';
import { checkProject } from '../../keys/authenticate.ts';
import type { ReadContext } from './read-calls.ts';

/** How many rows a table has; an unknown one has none. */
export async function tableStats(
  tables: TableStore,
  { project_id: projectId, digest }: TableQueryStatsRequest,
  { caller }: ReadContext,
): Promise<TableQueryStatsResponse> {
  checkProject(caller, projectId);
  const [stats] = await tables.stats(projectId, [digest]);
  return { count: stats?.count ?? 0 };
}

/** The same of many tables, each once; unknown ones are left out. */
export async function tableStatsBatch(
  tables: TableStore,
  { project_id: projectId, digests, include_storage_size: withSize }: TableQueryStatsBatchRequest,
  { caller, limits }: ReadContext,
): Promise<TableQueryStatsBatchResponse> {
  checkProject(caller, projectId);
  const max = limits.filter_items;
  if ((digests ?? []).length > max) {
    throw new TracingError('too_many_items', `Cannot read tables: there are more than ${max} digests`);
  }
  const stats = await tables.stats(projectId, [...new Set(digests)]);
  return {
    tables: stats.map(({ digest, count, size_bytes: bytes }) => {
      return { digest, count, storage_size_bytes: withSize === true ? bytes : null };
    }),
  };
}
