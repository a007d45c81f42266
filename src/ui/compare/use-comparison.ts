import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { VersionChange } from '../../reader/compare/cause.ts';
import { useIsGone } from '../shell/gone.ts';
import type { CompareAnswer, ShownCause, Sides } from './answer/answer.ts';
import type { Comparer } from './answer/comparer.ts';
import { OpenComparerContext } from './answer/open-comparer.ts';
import { versionKey, type VersionNumbers } from './cause-words.ts';

export interface Comparing {
  readonly answer: CompareAnswer | undefined;
  /** Holds the contents of the pairs. */
  readonly comparer: Comparer | undefined;
  readonly error: Error | null;
  /** Calls that have come so far. */
  readonly count: number;
  readonly isStopped: boolean;
  readonly stop: () => void;
  /** Reads both sides anew. */
  readonly again: () => void;
}

let comparers = 0;

/** Two calls or traces compared, as they were when they were read. */
export function useComparison(project: string, { a, b }: Sides<string>): Comparing {
  const [comparer, number] = useComparer(project);
  const [count, setCount] = useState(0);
  const [isStopped, setStopped] = useState(false);
  const client = useQueryClient();
  const queryKey = ['comparison', number, project, a, b];
  const { data, error, refetch } = useQuery({
    queryKey,
    // The contents of the pairs are where it was made.
    gcTime: 0,
    enabled: comparer !== undefined && !isStopped,
    queryFn: async ({ signal }) => {
      setCount(0);
      if (comparer === undefined) throw new Error('There is nothing yet that compares');
      return await comparer.compare({ a, b }, { signal, onCount: setCount });
    },
  });
  useEffect(() => setStopped(false), [a, b]);
  const again = (): void => {
    setStopped(false);
    void refetch();
  };
  useAgainWhenBack(error !== null, again);
  return {
    answer: data,
    comparer,
    error,
    count,
    isStopped,
    stop: () => {
      setStopped(true);
      void client.cancelQueries({ queryKey });
    },
    again,
  };
}

function useComparer(project: string): readonly [Comparer | undefined, number] {
  const open = useContext(OpenComparerContext);
  const [comparer, setComparer] = useState<Comparer>();
  const [number] = useState(() => (comparers += 1));
  useEffect(() => {
    const made = open(project);
    setComparer(made);
    return () => made.close();
  }, [open, project]);
  return [comparer, number];
}

/** A comparison that failed while the service was gone is made once it is back. */
function useAgainWhenBack(hasFailed: boolean, again: () => void): void {
  const isGone = useIsGone();
  const was = useRef(false);
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(() => {
    if (was.current && !isGone) latest.current();
    was.current = isGone && hasFailed;
  }, [isGone, hasFailed]);
}

/** The numbers of the versions that causes name, as soon as they are known. */
export function useVersionNumbers(
  project: string,
  comparer: Comparer | undefined,
  causes: readonly ShownCause[],
): VersionNumbers {
  const changes = useMemo(() => changesIn(causes), [causes]);
  const { data } = useQuery({
    queryKey: ['version numbers', project, changes],
    enabled: comparer !== undefined && changes.length > 0,
    // With their signal, here and for contents: who leaves the page leaves no question behind that nobody answers any more.
    queryFn: async ({ signal }) => (await comparer?.numbers(changes, { signal })) ?? null,
  });
  return useMemo(
    () => new Map((data ?? []).map((numbers, index) => [versionKey(changes[index] ?? NOTHING), numbers] as const)),
    [data, changes],
  );
}

const NOTHING: VersionChange = { name: '', a: '', b: '' };

/** Rows tell as many by their numbers, and further ones by their digests. */
const MAX_VERSIONS = 200;

function changesIn(causes: readonly ShownCause[]): readonly VersionChange[] {
  const known = new Map<string, VersionChange>();
  for (const cause of causes) {
    const objects = cause.kind === 'object' ? cause.objects.filter(({ kind }) => kind !== 'table') : [];
    for (const { name, a, b } of cause.kind === 'code' ? [cause.version] : objects) {
      known.set(versionKey({ name, a, b }), { name, a, b });
    }
  }
  return [...known.values()].slice(0, MAX_VERSIONS);
}
