import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryObject } from '../../protocol/query.ts';
import type { CallRow } from './answers.ts';
import { PAGE_ROWS, rowsAmong } from './call-rows.ts';

export interface MetQueries {
  /** Does a row meet a query? `undefined` while the service has not said so. */
  readonly meets: (row: CallRow, query: QueryObject) => boolean | undefined;
  /** Why it could not be asked, until it is asked again; null otherwise. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * The service's word on rows and queries that only it can answer, as texts in inputs. Each row is asked about once, and
 * again when it has changed. After an error nothing is asked until `retry`.
 */
export function useMetQueries(project: string, rows: readonly CallRow[], queries: readonly QueryObject[]): MetQueries {
  const [answers, setAnswers] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  const underway = useRef(new Set<string>());
  const keysOf = useMemo(() => new Map(queries.map((query) => [query, keyOf(project, query)])), [project, queries]);
  const latest = useRef({ rows, keysOf });
  useEffect(() => {
    latest.current = { rows, keysOf };
    if (error !== null) return;
    for (const [query, key] of keysOf) {
      const open = rows.filter((row) => !answers.has(key(row)) && !underway.current.has(key(row)));
      for (let at = 0; at < open.length; at += PAGE_ROWS) void askAbout(open.slice(at, at + PAGE_ROWS), query, key);
    }
    async function askAbout(asked: readonly CallRow[], query: QueryObject, key: (row: CallRow) => string) {
      for (const row of asked) underway.current.add(key(row));
      try {
        const met = await idsThatMeet(project, asked, query);
        const said = asked.map((row) => [key(row), met.has(row.id)] as const);
        setAnswers((was) => new Map([...withoutOld(was, latest.current), ...said]));
      } catch (problem) {
        setError(problem instanceof Error ? problem : new Error(String(problem)));
      } finally {
        for (const row of asked) underway.current.delete(key(row));
      }
    }
  }, [project, rows, keysOf, answers, error]);
  const meets = useCallback(
    (row: CallRow, query: QueryObject) => answers.get(keysOf.get(query)?.(row) ?? ''),
    [answers, keysOf],
  );
  const retry = useCallback(() => setError(null), []);
  return { meets, error, retry };
}

/** Answers about rows that are in the list no more. */
const MAX_OLD = 2000;

interface Shown {
  readonly rows: readonly CallRow[];
  readonly keysOf: ReadonlyMap<QueryObject, (row: CallRow) => string>;
}

/** A list that is live for long has had many more rows than it has. */
function withoutOld(answers: ReadonlyMap<string, boolean>, { rows, keysOf }: Shown): ReadonlyMap<string, boolean> {
  if (answers.size <= rows.length * keysOf.size + MAX_OLD) return answers;
  const wanted = new Set([...keysOf.values()].flatMap((key) => rows.map(key)));
  return new Map([...answers].filter(([key]) => wanted.has(key)));
}

async function idsThatMeet(project: string, rows: readonly CallRow[], query: QueryObject): Promise<Set<string>> {
  const ids = rows.map(({ id }) => id);
  return new Set((await rowsAmong({ project_id: project, query }, ids)).map(({ id }) => id));
}

/** A row that has ended, or was named anew, may meet what it did not. */
function keyOf(project: string, query: QueryObject): (row: CallRow) => string {
  const text = JSON.stringify([project, query]);
  return ({ id, ended_at: ended, name }) => JSON.stringify([id, ended, name, text]);
}
