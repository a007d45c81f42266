import { type KeyboardEvent, type ReactElement, useDeferredValue, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '../controls/signs/icon.tsx';
import { Marked } from '../controls/signs/marked.tsx';
import { Dialog } from './dialog.tsx';
import dialogClasses from './dialog.module.css';
import { useDestinations, type Destination } from './destinations.tsx';
import classes from './jump-box.module.css';

export interface JumpBoxProps {
  readonly project: string | undefined;
  readonly onClose: () => void;
}

/** Pages, projects, views, ops, calls and commands by name, and anything by its id. */
export function JumpBox({ project, onClose }: JumpBoxProps): ReactElement {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { groups, nothing } = useDestinations(project, useDeferredValue(text.trim()));
  const all = groups.flatMap(({ destinations }) => destinations);
  const chosen = all[Math.min(at, all.length - 1)];
  const listId = useId();
  const go = (destination: Destination | undefined) => {
    if (destination === undefined) return;
    // What is done is done to the page, which has the focus and the keys once this is closed.
    flushSync(onClose);
    destination.go();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((Math.min(at, all.length - 1) + step + all.length) % Math.max(1, all.length));
    else if (event.key === 'Enter') go(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Jump to" onClose={onClose}>
      <div className={classes.query}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Jump to"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={chosen && `${listId}-${chosen.id}`}
          placeholder="A page, an op, a view, an id…"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Places" className={`${classes.list} ${dialogClasses.scrolls}`}>
        {groups.map(({ name, destinations }) => (
          <div key={name} role="group" aria-label={name}>
            <h3 aria-hidden="true">{name}</h3>
            {destinations.map((destination) => (
              <div
                key={destination.id}
                id={`${listId}-${destination.id}`}
                role="option"
                aria-selected={destination === chosen}
                ref={destination === chosen ? reveal : null}
                className={classes.option}
                onClick={() => go(destination)}
              >
                {destination.sign}
                <span className="cut grow">
                  <Marked text={destination.label} wanted={text.trim()} />
                  {destination.detail !== undefined && (
                    <span className="muted">
                      {' '}
                      <Marked text={destination.detail} wanted={text.trim()} />
                    </span>
                  )}
                </span>
                {destination.fact !== undefined && <span className="num-s faint">{destination.fact}</span>}
                {destination.keys !== undefined && <span className="num-s faint wide">{destination.keys}</span>}
              </div>
            ))}
          </div>
        ))}
        {all.length === 0 && <p className={classes.none}>{nothing}</p>}
      </div>
    </Dialog>
  );
}

function reveal(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
