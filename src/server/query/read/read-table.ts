import type { TableQueryRequest } from '../../../protocol/table.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { StoredRow, TableStore } from '../../../storage/contract/tables.ts';
import { checkProject } from '../../keys/authenticate.ts';
import { planTable } from '../plan/plan-table.ts';
import type { ReadContext } from './read-calls.ts';

/** The rows of a query as lines of JSON, in chunks of bounded size; the request is checked before the first. */
export function queryTable(
  tables: TableStore,
  request: TableQueryRequest,
  { caller, limits, signal }: ReadContext,
): AsyncIterable<readonly JsonText[]> {
  checkProject(caller, request.project_id);
  const plan = planTable(request, limits);
  return linesOf(tables.query(plan, { deadlineMs: limits.read_ms, signal }));
}

async function* linesOf(chunks: AsyncIterable<readonly StoredRow[]>): AsyncGenerator<readonly JsonText[]> {
  for await (const chunk of chunks) yield chunk.map(rowLine);
}

/** The stored canonical text goes in as it is, so that storing the row again keeps its digest. */
function rowLine({ digest, val, original_index: index }: StoredRow): JsonText {
  return `{"digest":"${digest}","val":${val},"original_index":${index}}`;
}
