import { digestJson, digestTable } from '../../src/protocol/values/digest.ts';
import type { TableRecord } from '../../src/protocol/record.ts';

/** With `baseCount` the first rows are a table of their own, which was recorded before. */
export function tableOf(rows: readonly object[], baseCount?: number): TableRecord {
  const rowDigests = rows.map((row) => digestJson(row as { n: number }));
  const base = baseCount !== undefined && { digest: digestTable(rowDigests.slice(0, baseCount)), count: baseCount };
  return { projectId: 'local/test', rows, rowDigests, digest: digestTable(rowDigests), ...(base && { base }) };
}
