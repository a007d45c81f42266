import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryObject } from '../../protocol/query.ts';
import type { CallRow } from './answers.ts';
import { PAGE_ROWS, rowsAmong } from './call-rows.ts';
import { inParts } from './in-parts.ts';
import { useTouchedCalls } from './touched-calls.ts';

export interface MetQueries {
  /** Does a row meet a query? `undefined` while the service has not said so. */
  readonly meets: (row: CallRow, query: QueryObject) => boolean | undefined;
  /** Why it could not be asked, until it is asked again; null otherwise. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * The service's word on rows and queries that only it can answer, as texts in inputs. Each row is asked about once, and
 * again when it has changed or got feedback; until then its former answer counts. After an error nothing is asked until `retry`.
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
    askAbout((row, key) => !answers.has(key(row)) && !underway.current.has(key(row)));
  }, [project, rows, keysOf, answers, error]);
  useTouchedCalls(project, (ids) => {
    const touched = new Set(ids);
    askAbout(({ id }) => touched.has(id));
  });
  function askAbout(isMeant: (row: CallRow, key: KeyOf) => boolean): void {
    for (const [query, key] of latest.current.keysOf) {
      const open = latest.current.rows.filter((row) => isMeant(row, key));
      for (const part of inParts(open, PAGE_ROWS)) void askOf(part, query, key);
    }
  }
  async function askOf(asked: readonly CallRow[], query: QueryObject, key: KeyOf): Promise<void> {
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
  const meets = useCallback(
    (row: CallRow, query: QueryObject) => answers.get(keysOf.get(query)?.(row) ?? ''),
    [answers, keysOf],
  );
  const retry = useCallback(() => setError(null), []);
  return { meets, error, retry };
}

type KeyOf = (row: CallRow) => string;

/** Answers about rows that are in the list no more. */
const MAX_OLD = 2000;

interface Shown {
  readonly rows: readonly CallRow[];
  readonly keysOf: ReadonlyMap<QueryObject, KeyOf>;
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
function keyOf(project: string, query: QueryObject): KeyOf {
  const text = JSON.stringify([project, query]);
  return ({ id, ended_at: ended, name }) => JSON.stringify([id, ended, name, text]);
}
