import type { ReactElement, ReactNode } from 'react';
import { callPath } from '../../address/paths.ts';
import { LinkButton } from '../../controls/link-button.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { showControls } from '../../json/show-controls.ts';
import { at } from '../../tree/numbers.ts';
import type { ComparedAnswer } from '../answer/answer.ts';
import { CauseChip, toneOf } from '../cause-chip.tsx';
import { causeWords, type VersionNumbers } from '../cause-words.ts';
import { kindAt } from '../tree/pair-tree.ts';
import classes from './pair-pane.module.css';

export interface PairHeadProps {
  readonly project: string;
  readonly answer: ComparedAnswer;
  readonly numbers: VersionNumbers;
  readonly pair: number;
  readonly children?: ReactNode;
}

/** The pair that is shown, with the way to both of its calls. */
export function PairHead({ project, answer, numbers, pair, children }: PairHeadProps): ReactElement {
  const { pairs, sides } = answer;
  const kind = kindAt(pairs, pair);
  const shown = pairs.b.ids[pair] === '' ? pairs.a : pairs.b;
  const model = pairs.texts[at(shown.model, pair)];
  const words = causeWords(kind, pairs.causes[at(pairs.cause, pair)], numbers);
  const [a, b] = [pairs.a.ids[pair] ?? '', pairs.b.ids[pair] ?? ''];
  return (
    <header className={classes.head}>
      <KindBox kind={pairs.texts[at(pairs.opKind, pair)] ?? 'other'} />
      <h2 className="cut">
        <bdi>{showControls(pairs.texts[at(shown.name, pair)] ?? '')}</bdi>
      </h2>
      {model !== undefined && <span className={`muted cut ${classes.model}`}>{showControls(model)}</span>}
      {words !== '' && (
        <CauseChip tone={toneOf(kind, at(pairs.isOrigin, pair) === 1)} title={words}>
          {words}
        </CauseChip>
      )}
      <span className="grow" />
      {children}
      <span className={classes.links}>
        {a !== '' && (
          <LinkButton icon="open" href={callPath(project, sides.a.traceId, a)}>
            Open A
          </LinkButton>
        )}
        {b !== '' && (
          <LinkButton icon="open" href={callPath(project, sides.b.traceId, b)}>
            Open B
          </LinkButton>
        )}
      </span>
    </header>
  );
}
