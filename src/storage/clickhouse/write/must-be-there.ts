import { sql, type Sql } from '../../sql/sql.ts';

/**
 * 0 where there are such rows; where there are none it ends the statement that it stands in, for now (`failure.ts`). An
 * `INSERT … SELECT` of what was read before would otherwise write nothing and be answered as one that did, on a server that has not
 * yet what another one of a cluster has shown.
 */
export function mustBeThere(rows: Sql): Sql {
  return sql`(SELECT throwIf(count() = 0, 'this server has not yet what another server has shown') FROM ${rows})`;
}
