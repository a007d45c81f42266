import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Icon } from '../../controls/signs/icon.tsx';
import { KindBox } from '../../controls/signs/kind-box.tsx';
import { showControls } from '../../json/show-controls.ts';
import { at } from '../../tree/numbers.ts';
import { causeWords } from '../cause-words.ts';
import { kindAt } from '../tree/pair-tree.ts';
import classes from './pair-pane.module.css';
import { type PairPaneProps, PairTabs } from './pair-pane.tsx';

/** On a phone the selected pair waits at the bottom, and fills the screen when it is opened. */
export function PairSheet(props: PairPaneProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);
  // Each of both buttons goes when it is pressed, and the other one comes.
  useEffect(() => {
    if (isPressed.current) button.current?.focus();
  }, [isOpen]);
  const open = (is: boolean): void => {
    isPressed.current = true;
    setOpen(is);
  };
  const { answer, numbers, pair } = props;
  const { pairs } = answer;
  if (isOpen) {
    return (
      <section className={classes.over} aria-label="Selected pair">
        <button ref={button} type="button" className={classes.close} onClick={() => open(false)}>
          <Icon name="back" />
          Calls of both sides
        </button>
        <PairTabs {...props} />
      </section>
    );
  }
  const shown = pairs.b.ids[pair] === '' ? pairs.a : pairs.b;
  const words = causeWords(kindAt(pairs, pair), pairs.causes[at(pairs.cause, pair)], numbers);
  return (
    <div className={classes.sheet}>
      <KindBox kind={pairs.texts[at(pairs.opKind, pair)] ?? 'other'} />
      <span className={classes.sheetText}>
        <b className="cut">{showControls(pairs.texts[at(shown.name, pair)] ?? '')}</b>
        <span className="muted cut">{words === '' ? 'alike' : words}</span>
      </span>
      <button ref={button} type="button" className={classes.open} onClick={() => open(true)}>
        Open
        <Icon name="chevron-right" />
      </button>
    </div>
  );
}
