import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, type RefObject, useEffect, useId, useMemo } from 'react';
import { IconButton } from '../controls/button.tsx';
import { FindField } from '../controls/find-field.tsx';
import { Marked } from '../controls/signs/marked.tsx';
import { StatusSign } from '../controls/signs/status-sign.tsx';
import type { CallRow } from '../data/answers.ts';
import { formatRoughLatency, latencyText } from '../format/latency.ts';
import { showControls } from '../json/show-controls.ts';
import classes from './thread-page.module.css';
import { foundInTurn, type TurnFind } from './turn-find.ts';

export interface TurnListProps {
  /** The list itself, which has the focus. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly turns: readonly CallRow[];
  readonly selected: number;
  readonly find: TurnFind;
  readonly findField: RefObject<HTMLInputElement | null>;
  readonly onSelect: (index: number) => void;
  /** Goes to the next turn that failed; absent where none did. */
  readonly onNextError: (() => void) | undefined;
}

const ROW_PX = 28;

/** The questions, turn by turn. */
export function TurnList(props: TurnListProps): ReactElement {
  const { ref: scroller, turns, selected, find, findField, onSelect, onNextError } = props;
  const listId = useId();
  const chosen = turns[selected];
  const found = useMemo(() => new Set(find.found), [find.found]);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  useEffect(() => virtual.scrollToIndex(selected, { align: 'auto' }), [virtual, selected]);
  return (
    <section className={classes.turns} aria-label="Turns">
      <div className={classes.bar}>
        <h2>Turns</h2>
        <span className="num-s faint">{turns.length}</span>
        <FindField
          label="Find in turns: what was said, an error or id"
          placeholder="Find in turns"
          field={findField}
          find={find}
        />
        {onNextError && <IconButton isSmall icon="warning" label="Next error" keys="n" onClick={onNextError} />}
      </div>
      <div
        className={classes.scroller}
        ref={scroller}
        role="listbox"
        aria-label="Turns"
        aria-activedescendant={chosen && `${listId}-${chosen.id}`}
        tabIndex={0}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const turn = turns[index];
            if (turn === undefined) return null;
            return (
              <div
                key={turn.id}
                id={`${listId}-${turn.id}`}
                role="option"
                aria-selected={index === selected}
                aria-posinset={index + 1}
                aria-setsize={turns.length}
                className={`${classes.turn} ${index === selected ? classes.isSelected : ''}`}
                style={{ transform: `translateY(${start}px)` }}
                title={showControls(turn.input ?? turn.name)}
                onClick={() => onSelect(index)}
              >
                <span className={`${classes.turnNumber} num-s faint`}>{index + 1}</span>
                <TurnWords turn={turn} wanted={found.has(index) ? find.text : ''} />
                {turn.state !== 'success' && <StatusSign state={turn.state} isSignOnly />}
                <span className="num-s faint">{latencyText(turn, formatRoughLatency, '…')}</span>
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

function TurnWords({ turn, wanted }: { readonly turn: CallRow; readonly wanted: string }): ReactElement {
  const { text, beside } = foundInTurn(turn, wanted);
  return (
    <>
      <span className="cut grow">
        <bdi>
          <Marked text={showControls(text)} wanted={wanted} />
        </bdi>
      </span>
      {beside !== undefined && (
        <span className="cut grow muted">
          <bdi>
            <Marked text={showControls(beside)} wanted={wanted} />
          </bdi>
        </span>
      )}
    </>
  );
}
