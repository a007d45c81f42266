import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { QueryObject } from '../../protocol/query.ts';
import type { CallRow } from './answers.ts';
import { PAGE_ROWS, rowsAmong } from './call-rows.ts';
import { asksFeedback, useTouchedCalls } from './touched-calls.ts';

export interface MetQueries {
  /** Does a row meet a query? `undefined` while the service has not said so. */
  readonly meets: (row: CallRow, query: QueryObject) => boolean | undefined;
  /** Why it could not be asked, until it is asked again; null otherwise. */
  readonly error: Error | null;
  readonly retry: () => void;
}

export interface MetQueriesOptions {
  readonly project: string;
  readonly rows: readonly CallRow[];
  readonly queries: readonly QueryObject[];
  /** The rows that are shown stay: former answers count until this is over, whatever was touched. @default false */
  readonly isHeld?: boolean;
}

/**
 * The service's word on rows and queries that only it can answer, as texts in inputs: one question after another. Each row is
 * asked about once, and again when it has changed or got feedback that a query asks for; until then its former answer counts.
 * After an error nothing is asked until `retry`.
 */
export function useMetQueries(options: MetQueriesOptions): MetQueries {
  const { project, rows, queries, isHeld = false } = options;
  const [answers, setAnswers] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  const keysOf = useMemo(() => new Map(queries.map((query) => [query, keyOf(project, query)])), [project, queries]);
  const latest = useRef({ project, rows, keysOf, isHeld, answers, error });
  /** Those whose answer is of before they were touched. */
  const old = useRef(new Set<string>());
  /** The keys of the question that is being asked. */
  const asking = useRef<readonly string[] | undefined>(undefined);
  useEffect(() => {
    latest.current = { project, rows, keysOf, isHeld, answers, error };
    void askNext();
  }, [project, rows, keysOf, isHeld, answers, error]);
  useTouchedCalls(project, (ids) => {
    // Those to queries that were asked before as well, for when one comes back to them.
    const answered = [...latest.current.answers.keys(), ...(asking.current ?? [])];
    for (const key of touchedAmong(answered, ids)) old.current.add(key);
    void askNext();
  });
  /** One question at a time: no answer comes behind a newer one, and each that came makes the effect ask the next. */
  async function askNext(): Promise<void> {
    const shown = latest.current;
    const question = questionOf(shown, (key) => !shown.answers.has(key) || (!shown.isHeld && old.current.has(key)));
    if (asking.current !== undefined || shown.error !== null || question === undefined) return;
    const keys = question.rows.map(question.key);
    asking.current = keys;
    // What is touched from here on is asked about once more.
    for (const key of keys) old.current.delete(key);
    try {
      const met = await idsThatMeet(shown.project, question.rows, question.query);
      const said = question.rows.map((row) => [question.key(row), met.has(row.id)] as const);
      keep(new Map([...withoutOld(latest.current.answers, latest.current), ...said]));
    } catch (problem) {
      for (const key of keys) if (shown.answers.has(key)) old.current.add(key);
      fail(problem instanceof Error ? problem : new Error(String(problem)));
    } finally {
      asking.current = undefined;
    }
  }
  function keep(next: ReadonlyMap<string, boolean>): void {
    latest.current = { ...latest.current, answers: next };
    setAnswers(next);
  }
  function fail(problem: Error): void {
    latest.current = { ...latest.current, error: problem };
    setError(problem);
  }
  const meets = useCallback(
    (row: CallRow, query: QueryObject) => answers.get(keysOf.get(query)?.(row) ?? ''),
    [answers, keysOf],
  );
  const retry = useCallback(() => setError(null), []);
  return { meets, error, retry };
}

interface Question {
  readonly rows: readonly CallRow[];
  readonly query: QueryObject;
  readonly key: KeyOf;
}

/** The first that is open: one page of rows, and one query. */
function questionOf({ rows, keysOf }: Shown, isOpen: (key: string) => boolean): Question | undefined {
  for (const [query, key] of keysOf) {
    const open = rows.filter((row) => isOpen(key(row))).slice(0, PAGE_ROWS);
    if (open.length > 0) return { rows: open, query, key };
  }
  return undefined;
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

/** The keys that are of some calls and of queries that ask for their feedback. */
function touchedAmong(keys: readonly string[], callIds: readonly string[]): readonly string[] {
  const touched = new Set(callIds);
  return keys.filter((key) => {
    const [id, , , text] = JSON.parse(key) as AnswerKey;
    return touched.has(id) && asksFeedback({ query: (JSON.parse(text) as readonly [string, QueryObject])[1] });
  });
}

/** The key of an answer, all that it depends on; `text` is of the project and the query. */
type AnswerKey = readonly [id: string, ended: string | null, name: string, text: string];

/** A row that has ended, or was named anew, may meet what it did not. */
function keyOf(project: string, query: QueryObject): KeyOf {
  const text = JSON.stringify([project, query]);
  return ({ id, ended_at: ended, name }) => JSON.stringify([id, ended, name, text]);
}
