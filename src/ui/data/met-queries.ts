import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryObject } from '../../protocol/query.ts';
import type { CallRow, RowsAnswer } from './answers.ts';
import { ask } from './ask.ts';
import { PAGE_ROWS } from './call-rows.ts';

/** Does a row meet a query? `undefined` while the service has not said so. */
export type MetQuery = (row: CallRow, query: QueryObject) => boolean | undefined;

/**
 * What the service says of rows and queries that only it can answer, as texts in inputs. Each row is asked about once, and
 * again when it has changed. An answer that fails is asked for again with the next rows.
 */
export function useMetQueries(project: string, rows: readonly CallRow[], queries: readonly QueryObject[]): MetQuery {
  const [answers, setAnswers] = useState<ReadonlyMap<string, boolean>>(new Map());
  const underway = useRef(new Set<string>());
  const names = useMemo(() => new Map(queries.map((query) => [query, JSON.stringify(query)])), [queries]);
  useEffect(() => {
    for (const [query, name] of names) {
      const open = rows.filter((row) => !answers.has(keyOf(row, name)) && !underway.current.has(keyOf(row, name)));
      for (let at = 0; at < open.length; at += PAGE_ROWS) {
        void askAbout(project, open.slice(at, at + PAGE_ROWS), query, name);
      }
    }
    async function askAbout(project_id: string, asked: readonly CallRow[], query: QueryObject, name: string) {
      const keys = asked.map((row) => keyOf(row, name));
      for (const key of keys) underway.current.add(key);
      try {
        const filter = { call_ids: asked.map(({ id }) => id) };
        const found = await ask<RowsAnswer>('/x/calls/rows', { project_id, filter, query, limit: asked.length });
        const met = new Set(found.rows.map(({ id }) => id));
        setAnswers(
          (was) => new Map([...was, ...asked.map((row, index) => [keys[index] ?? '', met.has(row.id)] as const)]),
        );
      } catch {
        // The list says what is wrong with the service; until then these rows are not known to belong to it.
      } finally {
        for (const key of keys) underway.current.delete(key);
      }
    }
  }, [project, rows, names, answers]);
  return useCallback((row, query) => answers.get(keyOf(row, names.get(query) ?? '')), [answers, names]);
}

/** A row that has ended, or was named anew, may meet what it did not. */
function keyOf({ id, ended_at: ended, name }: CallRow, query: string): string {
  return JSON.stringify([id, ended, name, query]);
}
