import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { Failure } from '../../controls/failure.tsx';
import { Bone } from '../../controls/signs/bones.tsx';
import type { ComparedAnswer } from '../answer/answer.ts';
import type { Comparer } from '../answer/comparer.ts';
import type { PairDetail } from '../answer/pair-detail.ts';
import type { PairTab } from './pair-tabs.ts';
import { NumbersPart } from './numbers-part.tsx';
import classes from './pair-pane.module.css';
import { ValuePart } from './value-part.tsx';
import { VersionPart } from './version-part.tsx';

export interface PairContents {
  readonly detail: PairDetail | undefined;
  readonly error: Error | null;
  readonly again: () => void;
}

/** The contents of a pair, once they have come from where the comparison was made. */
export function usePairContents(comparer: Comparer, answer: ComparedAnswer, pair: number): PairContents {
  const { data, error, refetch } = useQuery({
    queryKey: ['pair', answer.sides, answer.key, pair],
    gcTime: 0,
    queryFn: async ({ signal }) => await comparer.pair(answer.key, pair, { signal }),
  });
  return { detail: data, error, again: () => void refetch() };
}

export interface PairBodyProps {
  readonly project: string;
  readonly answer: ComparedAnswer;
  readonly comparer: Comparer;
  readonly pair: number;
  readonly contents: PairContents;
  readonly tab: PairTab;
}

export function PairBody({ contents, ...props }: PairBodyProps): ReactElement {
  const { detail, error, again } = contents;
  if (error !== null) return <Failure what="The calls could not be compared" error={error} onRetry={again} />;
  if (detail === undefined) return <Loading />;
  return <>{PARTS[props.tab]({ ...props, detail })}</>;
}

type PartProps = Omit<PairBodyProps, 'contents' | 'tab'> & { readonly detail: PairDetail };

const PARTS: Readonly<Record<PairTab, (props: PartProps) => ReactNode>> = {
  code: ({ project, comparer, detail: { code } }) =>
    code && <VersionPart project={project} comparer={comparer} change={code} kind="op" />,
  object: ({ project, comparer, detail: { objects } }) =>
    objects.map((object) => (
      <VersionPart
        key={JSON.stringify(object)}
        project={project}
        comparer={comparer}
        change={object}
        kind={object.kind}
      />
    )),
  input: (props) => <ValuePart {...props} name="Input" part={props.detail.input} />,
  output: (props) => <ValuePart {...props} name="Output" part={props.detail.output} error={props.detail.error} />,
  numbers: ({ answer, pair, detail }) => <NumbersPart pairs={answer.pairs} pair={pair} usage={detail.usage} />,
};

function Loading(): ReactElement {
  return (
    <div className={classes.loading} aria-busy="true" aria-label="Reading both calls">
      {[240, 320, 280].map((width) => (
        <Bone key={width} width={width} />
      ))}
    </div>
  );
}
