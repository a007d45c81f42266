import type { ReactElement } from 'react';
import { useSearch } from 'wouter';
import { MAX_SEARCH_CHARACTERS } from '../address/codec.ts';
import { Failure } from '../controls/failure.tsx';
import { Strip } from '../controls/strip.tsx';
import { isSaidOfPage } from '../data/page-error.ts';
import { LookedAt } from './list/looked-at.tsx';
import type { ShownCalls } from './list/use-shown-calls.ts';

/** The problems of a list, and how far it was looked at. */
export function CallsStrips({ calls }: { readonly calls: ShownCalls }): ReactElement {
  const { wanted, failure, stats, look, list, rows } = calls;
  const search = useSearch();
  return (
    <>
      {wanted.errors.map((error) => (
        <Strip key={error.offset} tone="err">
          {error.message} <span className="num-s faint">at character {error.offset + 1}</span>
        </Strip>
      ))}
      {search.length > MAX_SEARCH_CHARACTERS && (
        <Strip tone="warn">
          This address is too long to be passed on: save it under Views, and pass on the link of that
        </Strip>
      )}
      {failure !== undefined && <Failure what="Calls could not be read" error={failure} onRetry={calls.retry} />}
      {stats.error !== null && failure === undefined && !isSaidOfPage(stats.error, stats.data) && (
        <Failure what="Sums could not be read" error={stats.error} onRetry={stats.refetch} />
      )}
      {look.goOn !== undefined && (
        <LookedAt count={list.rows.length} found={rows.length} total={stats.data?.count} onGoOn={look.goOn} />
      )}
    </>
  );
}
