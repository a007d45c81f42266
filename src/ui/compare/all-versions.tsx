import { type ReactElement, useMemo } from 'react';
import { formatCount } from '../format/count.ts';
import type { ComparedAnswer, ShownObject } from './answer/answer.ts';
import type { Comparer } from './answer/comparer.ts';
import { versionKey } from './cause-words.ts';
import classes from './compare-page.module.css';
import { VersionPart } from './pair/version-part.tsx';

export interface AllVersionsProps {
  readonly project: string;
  readonly answer: ComparedAnswer;
  readonly comparer: Comparer;
}

/** Their texts are read one by one. */
const MAX_SHOWN = 30;

/** Each source and each object of which both sides used different versions. */
export function AllVersions({ project, answer, comparer }: AllVersionsProps): ReactElement {
  const changes = useMemo(() => changesOf(answer), [answer]);
  return (
    <div className={classes.scrolled} role="region" aria-label="Code" tabIndex={0}>
      {changes.length === 0 && (
        <div className={classes.missing}>
          <b>No code was changed</b>
          <p>
            All calls ran the same versions of their ops, and were given the same versions of prompts and other objects.
          </p>
          <p>Only traced functions have a source; of other ops nobody knows what ran.</p>
        </div>
      )}
      {changes.slice(0, MAX_SHOWN).map((change) => (
        <VersionPart
          key={`${change.kind} ${versionKey(change)}`}
          project={project}
          comparer={comparer}
          change={change}
          kind={change.kind}
        />
      ))}
      {changes.length > MAX_SHOWN && (
        <p className={classes.more}>{formatCount(changes.length - MAX_SHOWN)} more have changed: select their calls.</p>
      )}
    </div>
  );
}

function changesOf({ pairs }: ComparedAnswer): readonly ShownObject[] {
  const known = new Map<string, ShownObject>();
  for (const cause of pairs.causes) {
    const all: readonly ShownObject[] =
      cause.kind === 'code' ? [{ kind: 'op', ...cause.version }] : cause.kind === 'object' ? cause.objects : [];
    for (const change of all) known.set(`${change.kind} ${versionKey(change)}`, change);
  }
  return [...known.values()];
}
