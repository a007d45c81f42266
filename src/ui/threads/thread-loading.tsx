import type { ReactElement, ReactNode } from 'react';
import { Bone } from '../controls/signs/bones.tsx';
import { Waiting, type WaitingProps } from '../controls/waiting.tsx';
import classes from './thread-page.module.css';
import stripClasses from './turn-strip.module.css';

/** Widths of bars where messages will be. */
const MESSAGES = [420, 560, 180, 520, 380, 240];
/** Where turns and numbers will be. */
const TURNS = [150, 190, 120, 170, 90, 200, 140, 180, 110, 160];
const NUMBERS = [170, 150, 190, 140, 120];

/** The strip and the panes of a thread, with bars in the place of its turns. */
export function ThreadLoading(waiting: Pick<WaitingProps, 'isStopped' | 'onStop' | 'onGoOn'>): ReactElement {
  const { isStopped } = waiting;
  return (
    <Places turns={!isStopped && <Bars widths={TURNS} />} turn={!isStopped && <Bars widths={NUMBERS} />}>
      <div className={classes.waiting}>
        <Waiting what="the turns" {...waiting}>
          <Bars widths={MESSAGES} />
        </Waiting>
      </div>
    </Places>
  );
}

/** The same with nothing in it: the turns could not be read. */
export function ThreadUnread(): ReactElement {
  return <Places />;
}

interface PlacesProps {
  readonly turns?: ReactNode;
  readonly turn?: ReactNode;
  /** In the place of what was said. */
  readonly children?: ReactNode;
}

function Places({ turns, turn, children }: PlacesProps): ReactElement {
  return (
    <>
      <div className={stripClasses.strip} aria-hidden="true">
        <div className={stripClasses.bars} />
      </div>
      <div className={classes.panes}>
        <section className={classes.turns}>
          <Head>Turns</Head>
          {turns}
        </section>
        <section className={classes.conversation}>
          <Head>Conversation</Head>
          {children}
        </section>
        <section className={classes.side}>
          <Head>Turn</Head>
          {turn}
        </section>
      </div>
    </>
  );
}

function Head({ children }: { readonly children: string }): ReactElement {
  return (
    <div className={classes.bar}>
      <h2>{children}</h2>
    </div>
  );
}

function Bars({ widths }: { readonly widths: readonly number[] }): ReactElement {
  return (
    <div className={classes.bars} aria-hidden="true">
      {widths.map((width, index) => (
        <p key={`${index} ${width}`}>
          <Bone width={width} />
        </p>
      ))}
    </div>
  );
}
