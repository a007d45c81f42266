import { type ReactElement, type UIEvent, useEffect, useRef } from 'react';
import { IconButton } from '../controls/button.tsx';
import type { CallRow } from '../data/answers.ts';
import classes from './thread-page.module.css';
import { TurnView } from './turn-view.tsx';

export interface ConversationProps {
  readonly project: string;
  readonly turns: readonly CallRow[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  /** Somebody reads further up: what comes next must not take it away. */
  readonly onRead: () => void;
}

/** Turns around the selected one that are shown: all of a long thread would be read by nobody at once. */
const AROUND = 4;

/** Nearer to its end one reads the newest. */
const END_PX = 40;

/** The conversation, with the selected turn in view. */
export function Conversation({ project, turns, selected, onSelect, onRead }: ConversationProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const first = Math.max(0, selected - AROUND);
  const shown = turns.slice(first, selected + AROUND + 1);
  const isMoved = useRef(false);
  useEffect(() => {
    isMoved.current = false;
    return keepInView(scroller.current, selected, () => {
      isMoved.current = true;
    });
  }, [selected]);
  const noteScroll = ({ currentTarget: pane }: UIEvent<HTMLElement>): void => {
    if (isMoved.current && pane.scrollHeight - pane.clientHeight - pane.scrollTop > END_PX) onRead();
  };
  return (
    <section className={classes.conversation} aria-label="Conversation">
      <div className={classes.bar}>
        <h2>Conversation</h2>
        <span className="grow" />
        <span>
          turn <span className="num">{selected + 1}</span> of <span className="num">{turns.length}</span>
        </span>
        <IconButton
          isSmall
          isGhost={false}
          icon="chevron-up"
          label="Previous turn"
          keys="k"
          onClick={() => onSelect(selected - 1)}
        />
        <IconButton
          isSmall
          isGhost={false}
          icon="chevron-down"
          label="Next turn"
          keys="j"
          onClick={() => onSelect(selected + 1)}
        />
      </div>
      <div
        className={classes.scroller}
        ref={scroller}
        role="log"
        aria-label="Conversation"
        tabIndex={0}
        onScroll={noteScroll}
      >
        {shown.map((turn, index) => (
          <TurnView
            key={turn.id}
            project={project}
            turn={turn}
            number={first + index + 1}
            isSelected={first + index === selected}
            onSelect={() => onSelect(first + index)}
          />
        ))}
      </div>
    </section>
  );
}

/** Events that show that somebody reads elsewhere. */
const OWN_WAYS = ['wheel', 'pointerdown', 'keydown', 'touchmove'];

/** Scrolls to a turn, again while what was said in it and above comes, until somebody scrolls. Returns what ends that. */
function keepInView(pane: HTMLElement | null, index: number, onOwnWay: () => void): (() => void) | undefined {
  const turn = pane?.querySelector(`[data-turn="${index}"]`);
  if (pane === null || !turn) return undefined;
  const observer = new ResizeObserver(() => turn.scrollIntoView({ block: 'start' }));
  for (const each of pane.children) observer.observe(each);
  const ended = new AbortController();
  ended.signal.addEventListener('abort', () => observer.disconnect());
  const end = (): void => ended.abort();
  const leave = (): void => {
    end();
    onOwnWay();
  };
  for (const way of OWN_WAYS) pane.addEventListener(way, leave, { passive: true, signal: ended.signal });
  return end;
}
