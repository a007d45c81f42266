import type { ReactElement, ReactNode } from 'react';
import { Unread } from '../controls/failure.tsx';
import { Bone } from '../controls/signs/bones.tsx';
import { Waiting, type WaitingProps } from '../controls/waiting.tsx';
import classes from './thread-page.module.css';
import stripClasses from './turn-strip.module.css';

/** Widths of bars where messages will be. */
const MESSAGES = [420, 560, 180, 520, 380, 240, 470, 330, 540, 210, 450, 300];
/** Where turns and numbers will be. */
const TURNS = [150, 190, 120, 170, 90, 200, 140, 180, 110, 160, 130, 185, 100, 175, 145, 195, 115, 165, 135, 180];
const NUMBERS = [170, 150, 190, 140, 120, 180];
const STRIP = 88;
/** Down to the foot of any window; those below it are not seen. */
const LINES = 60;

/** The strip and the panes of a thread, with bars in the place of its turns. */
export function ThreadLoading(waiting: Pick<WaitingProps, 'isStopped' | 'onStop' | 'onGoOn'>): ReactElement {
  const { isStopped } = waiting;
  return (
    <Places
      strip={!isStopped && <Bone width={STRIP} />}
      turns={!isStopped && <Bars widths={downToFoot(TURNS)} />}
      turn={!isStopped && <Bars widths={NUMBERS} />}
    >
      <div className={classes.waiting}>
        <Waiting what="the turns" {...waiting}>
          <Bars widths={downToFoot(MESSAGES)} />
        </Waiting>
      </div>
    </Places>
  );
}

/** The same with nothing in it: the turns could not be read. */
export function ThreadUnread(): ReactElement {
  return (
    <Places>
      <Unread what="Turns" />
    </Places>
  );
}

interface PlacesProps {
  /** In the place of the words above the strip; without them it is not there. */
  readonly strip?: ReactNode;
  readonly turns?: ReactNode;
  readonly turn?: ReactNode;
  /** In the place of what was said. */
  readonly children?: ReactNode;
}

function Places({ strip, turns, turn, children }: PlacesProps): ReactElement {
  return (
    <>
      {strip !== undefined && (
        <div className={stripClasses.strip} aria-hidden="true">
          <div className={`${stripClasses.key} ${classes.stripKey}`}>{strip}</div>
          <div className={stripClasses.bars} />
        </div>
      )}
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

function downToFoot(widths: readonly number[]): readonly number[] {
  return Array.from({ length: LINES }, (_, line) => widths[line % widths.length] ?? 0);
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
