import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { VersionChange } from '../../../reader/compare/cause.ts';
import { Failure } from '../../controls/failure.tsx';
import { showControls } from '../../json/show-controls.ts';
import type { Comparer, VersionDiff } from '../answer/comparer.ts';
import { versionKey, versionWords } from '../cause-words.ts';
import { DiffView } from '../text/diff-view.tsx';
import classes from './pair-pane.module.css';

export interface VersionPartProps {
  readonly project: string;
  readonly comparer: Comparer;
  readonly change: VersionChange;
  readonly kind: 'op' | 'object' | 'table';
}

/** Two versions of a source, a prompt or another object, line by line. */
export function VersionPart({ project, comparer, change, kind }: VersionPartProps): ReactElement {
  const key = versionKey(change);
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['version texts', project, key],
    enabled: kind !== 'table',
    queryFn: async ({ signal }) => await comparer.versions(change, { signal }),
  });
  const what = kind === 'op' ? 'Source' : kind === 'table' ? 'Table' : 'Object';
  const versions = data && versionWords(change, new Map([[key, { a: data.a, b: data.b }]]));
  const isSame = change.a === change.b;
  return (
    <section
      role="group"
      className={classes.part}
      aria-label={`${what} of ${showControls(change.name)}`}
      aria-busy={isLoading}
    >
      <header>
        <h3 className="cut">{kind === 'table' ? 'Table' : showControls(change.name)}</h3>
        {versions !== undefined && !isSame && <span className="num muted">{versions}</span>}
        {data !== undefined && isSame && (
          <span className="muted">{data.a === undefined ? '' : `v${data.a}, `}the same in both</span>
        )}
      </header>
      {error !== null && <Failure what="The versions could not be read" error={error} onRetry={() => void refetch()} />}
      {kind === 'table' && <p className={classes.words}>Tables are compared by their digests: their rows differ.</p>}
      {data !== undefined && <Kept data={data} />}
      {data !== undefined && data.rows.length > 0 && <DiffView label={`${what} of both versions`} rows={data.rows} />}
    </section>
  );
}

/** A word on versions that the service does not have. */
function Kept({ data: { a, b } }: { readonly data: VersionDiff }): ReactElement | null {
  if (a !== undefined && b !== undefined) return null;
  const words =
    a === undefined && b === undefined
      ? 'Neither version is kept here.'
      : `Only the version of ${a === undefined ? 'B' : 'A'} is kept here.`;
  return <p className={classes.words}>{words}</p>;
}
