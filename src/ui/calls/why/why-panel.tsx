import { type ReactElement, type ReactNode, type RefObject, useEffect } from 'react';
import { withTerm } from '../../../filter/edit-terms.ts';
import { IconButton } from '../../controls/button.tsx';
import { Failure } from '../../controls/failure.tsx';
import { SidePanel } from '../../controls/pane/side-panel.tsx';
import { Bone } from '../../controls/signs/bones.tsx';
import { useFocusHandedOn } from '../../controls/use-focus-handed-on.ts';
import { Waiting } from '../../controls/waiting.tsx';
import type { Differences } from '../../data/answers.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { showControls } from '../../json/show-controls.ts';
import { DifferenceList } from './difference-list.tsx';
import { type ComparedSelection, useDifferences } from './use-differences.ts';
import { useTakenFocus } from './use-taken-focus.ts';
import classes from './why-panel.module.css';

export interface WhyPanelProps {
  /** Undefined: no calls are meant. */
  readonly compared: ComparedSelection | undefined;
  /** So many calls are meant that the address does not name them; 0: it does. */
  readonly keptCount: number;
  /** The filter of the list. */
  readonly q: string;
  /** Asks for other calls. */
  readonly onFilter: (q: string) => void;
  /** It takes the focus once its traits are there, and takes this back. */
  readonly takesFocus: RefObject<boolean>;
  readonly onClose: () => void;
  /** It goes, and had the focus. */
  readonly onLeave: () => void;
}

/** Traits that some calls of a list have more or less often than others, beside the list. */
export function WhyPanel({ compared, keptCount, onClose, onLeave, ...rest }: WhyPanelProps): ReactElement {
  const { takesFocus } = rest;
  const panel = useFocusHandedOn<HTMLElement>(onLeave);
  // Nobody who comes back to it has asked for that.
  useEffect(
    () => () => {
      takesFocus.current = false;
    },
    [takesFocus],
  );
  return (
    <SidePanel label="What is different?" name="peek">
      <section ref={panel} className={classes.panel}>
        <header className={classes.title}>
          <h2 tabIndex={-1}>What is different?</h2>
          <IconButton icon="close" label="Close" keys="Escape" isSmall onClick={onClose} />
        </header>
        {compared !== undefined && <Compared compared={compared} {...rest} />}
        {keptCount > 0 ? (
          <p className={classes.words}>
            {compared === undefined
              ? `The ${countOf(keptCount, 'selected call')} are not kept here any more: select them again.`
              : 'So many ids have no room in the address: a link, or the page loaded anew, does not know this selection.'}
          </p>
        ) : (
          compared === undefined && (
            <p className={classes.words}>
              Write a filter, or select calls: here stands what these have more or less often than others.
            </p>
          )
        )}
      </section>
    </SidePanel>
  );
}

type ComparedProps = Pick<WhyPanelProps, 'q' | 'onFilter' | 'takesFocus'> & { readonly compared: ComparedSelection };

function Compared({ compared, q, onFilter, takesFocus }: ComparedProps): ReactElement {
  const { data, error, isPlaceholderData, refetch } = useDifferences(compared);
  const { traits, askAgain } = useTakenFocus({
    takesFocus,
    asked: JSON.stringify(compared),
    isAnswered: data !== undefined && !isPlaceholderData,
    hasFailed: error !== null,
  });
  const onRetry = (): void => {
    askAgain();
    void refetch();
  };
  return (
    <>
      {error !== null && <Failure what="Differences could not be read" error={error} onRetry={onRetry} />}
      {data === undefined && error === null && (
        <div className={classes.waiting}>
          <Waiting what="what is different" isStopped={false}>
            <Bones />
          </Waiting>
        </div>
      )}
      <div ref={traits} className={isPlaceholderData ? `${classes.body} ${classes.isOld}` : classes.body}>
        {data !== undefined && (
          <Found
            found={data}
            isChosen={compared.against !== undefined}
            onTerm={(term) => {
              takesFocus.current = true;
              onFilter(withTerm(q, term));
            }}
          />
        )}
      </div>
    </>
  );
}

/** Rows before the first answer. */
const FIRST_BONES = 6;

function Bones(): ReactElement {
  return (
    <div className={classes.bones}>
      {Array.from({ length: FIRST_BONES }, (_, index) => (
        <Bone key={index} width={`${80 - index * 8}%`} />
      ))}
    </div>
  );
}

interface FoundProps {
  readonly found: Differences;
  /** The calls were selected, and are no filter. */
  readonly isChosen: boolean;
  readonly onTerm: (term: string) => void;
}

function Found({ found, isChosen, onTerm }: FoundProps): ReactElement {
  const { selection, rest, differences, compared, left_out: leftOut } = found;
  if (rest.calls === 0) return <p className={classes.words}>There are no other calls to compare with.</p>;
  return (
    <>
      <dl className={classes.sides}>
        <Side name="Compared" className={classes.selected} side={selection}>
          {isChosen ? 'selected' : `${selection.calls === 1 ? 'call' : 'calls'} of the filter`}
        </Side>
        <Side name="With" className={classes.others} side={rest}>
          {rest.calls === 1 ? 'other' : 'others'} {isChosen ? 'of the list' : 'of this time'}
        </Side>
      </dl>
      {differences.length === 0 ? (
        <p className={classes.words}>Nothing differs by more than chance.</p>
      ) : (
        <DifferenceList differences={differences} selection={selection} rest={rest} onTerm={onTerm} />
      )}
      <p className={classes.foot}>
        {countOf(compared, 'trait')} compared
        {leftOut.length > 0 && <>; left out, as the calls are selected by it: {showControls(leftOut.join(', '))}</>}.
        {differences.length > 0 && ' A click adds a trait to the filter.'}
      </p>
    </>
  );
}

interface SideProps {
  readonly name: string;
  readonly className: string | undefined;
  readonly side: Differences['rest'];
  readonly children: ReactNode;
}

/** One side: the colour of its bars, and how many calls it has. */
function Side({ name, className, side: { calls, looked_at: lookedAt }, children }: SideProps): ReactElement {
  return (
    <div>
      <dt className="vh">{name}</dt>
      <dd>
        <i className={className} />
        <span className="num">{formatCount(calls)}</span> {children}
        {lookedAt < calls && (
          <span className="faint">
            <span className="num-s">{formatCount(lookedAt)}</span> looked at
          </span>
        )}
      </dd>
    </div>
  );
}
