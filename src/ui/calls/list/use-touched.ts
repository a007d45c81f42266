import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { CallsSelection } from '../../data/answers.ts';
import { asksFeedback, isByFeedback, useGoneCalls, useTouchedCalls } from '../../data/touched-calls.ts';
import type { LiveList } from './live-list.ts';

export interface TouchedOptions {
  readonly list: LiveList;
  /** The key that its pages are kept under. */
  readonly key: QueryKey;
  readonly selection: CallsSelection | undefined;
  /** The calls that its sums are of. */
  readonly sums: CallsSelection | undefined;
  readonly isLookedAt: boolean;
  readonly refreshSums: () => void;
}

/**
 * Calls that got feedback are read again, and where that decides who is in the list, they come and leave, and its sums change.
 * But for that, they stay until nothing is looked at or selected any more: the call that is read would go, and the next one with it.
 *
 * @returns asks again about those of which it could not be read whether they are in the list
 */
export function useTouched(project: string, options: TouchedOptions): () => void {
  const { list, key, selection, sums, isLookedAt, refreshSums } = options;
  const client = useQueryClient();
  const moved = useMemo(() => new MovedCalls(list), [list]);
  const settle = (): void => {
    if (!isLookedAt) void moved.settle();
  };
  useTouchedCalls(project, (ids) => {
    // Other lists that were read before as well, for when one comes back to them.
    void client.invalidateQueries({ predicate: (query) => isByFeedback(query.queryKey, project), refetchType: 'none' });
    if (asksFeedback(sums)) refreshSums();
    const mayMove = asksFeedback(selection);
    if (mayMove) moved.add(ids);
    if (mayMove && !isLookedAt) settle();
    else void list.readTouched(ids);
  });
  useEffect(settle, [isLookedAt, moved]);
  useEffect(
    () => () => {
      // A page that was read meanwhile has taken the mark away.
      if (moved.isAny) void client.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' });
    },
    [client, key, moved],
  );
  useGoneCalls(project, (gone) => list.take({ rows: [], gone, hasMissed: false }));
  return settle;
}

/** Calls of a list that may have come to it or left it. */
class MovedCalls {
  readonly #list: LiveList;
  /** Those of which the service has not said so yet. */
  readonly #open = new Set<string>();
  #isAny = false;

  constructor(list: LiveList) {
    this.#list = list;
  }

  /** Were there any since the list is shown? */
  get isAny(): boolean {
    return this.#isAny;
  }

  add(ids: readonly string[]): void {
    for (const id of ids) this.#open.add(id);
    this.#isAny = true;
  }

  async settle(): Promise<void> {
    const ids = [...this.#open];
    // What is touched from here on is asked about once more.
    this.#open.clear();
    const read = new Set(await this.#list.readTouched(ids, true));
    for (const id of ids) if (!read.has(id)) this.#open.add(id);
  }
}
