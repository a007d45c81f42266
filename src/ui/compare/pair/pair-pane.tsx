import { type ReactElement, useEffect, useRef, useState } from 'react';
import { isFocusLost } from '../../controls/lost-focus.ts';
import { PaneHandle } from '../../controls/pane/pane-handle.tsx';
import { usePaneEdge } from '../../controls/pane/use-pane-edge.ts';
import { Segmented } from '../../controls/segmented.tsx';
import { PairBody, type PairContents } from './pair-body.tsx';
import { PairHead, type PairHeadProps } from './pair-head.tsx';
import { type PairTab, PAIR_TAB_NAMES, tabOf, tabsOf, tabsOfUnread } from './pair-tabs.ts';
import type { Comparer } from '../answer/comparer.ts';
import { kindAt } from '../tree/pair-tree.ts';
import classes from './pair-pane.module.css';

export interface PairPaneProps extends Omit<PairHeadProps, 'children'> {
  readonly comparer: Comparer;
  readonly contents: PairContents;
  /** As the address names it. */
  readonly tab: string;
  readonly onTab: (tab: PairTab) => void;
}

/** The head of the pane with a few lines. */
const LEAST_PX = 112;
/** The height that is left for what stands above. */
const ABOVE_PX = 140;
const USUAL_SHARE = 0.46;

/** The selected pair below the tree; the upper edge moves it, and where it was left is remembered. */
export function PairPane(props: PairPaneProps): ReactElement {
  const edge = usePaneEdge({
    side: 'top',
    keptAs: 'compare.pair-px',
    leastPx: LEAST_PX,
    usualOf: (room) => room * USUAL_SHARE,
    mostOf: (room) => room - ABOVE_PX,
  });
  return (
    <section ref={edge.ref} className={classes.pane} style={edge.style} aria-label="Selected pair">
      <PaneHandle edge={edge} label="Height of the pair" />
      <PairTabs {...props} />
    </section>
  );
}

/** One part of a pair at a time. */
export function PairTabs({ contents, tab: asked, onTab, ...pair }: PairPaneProps): ReactElement {
  const kind = kindAt(pair.answer.pairs, pair.pair);
  const [before, setBefore] = useState<readonly PairTab[]>([]);
  const read = contents.detail && tabsOf(contents.detail);
  if (read !== undefined && read.join() !== before.join()) setBefore(read);
  const tabs = read ?? tabsOfUnread(before, kind);
  const tab = tabOf(tabs, asked, kind);
  const options = tabs.map((value) => ({ value, label: PAIR_TAB_NAMES[value] }));
  const bar = useRef<HTMLSpanElement>(null);
  const hasFocus = useRef(false);
  // A tab that another pair does not have takes the focus with it, and says nothing of it.
  useEffect(() => {
    if (hasFocus.current && isFocusLost()) bar.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  });
  return (
    <>
      <PairHead {...pair}>
        <span
          ref={bar}
          className={classes.tabs}
          onFocus={() => (hasFocus.current = true)}
          onBlur={() => (hasFocus.current = false)}
        >
          <Segmented label="Part of the pair" value={tab} options={options} onChange={onTab} />
        </span>
      </PairHead>
      <div className={classes.body} role="region" aria-label="Contents of the pair" tabIndex={0}>
        <PairBody {...pair} contents={contents} tab={tab} />
      </div>
    </>
  );
}

/** Inputs and outputs of a pair, all of the page. */
export function PairWhole({ contents, ...pair }: Omit<PairPaneProps, 'tab' | 'onTab'>): ReactElement {
  return (
    <section className={`${classes.pane} ${classes.whole}`} aria-label="Selected pair">
      <PairHead {...pair} />
      <div className={classes.body} role="region" aria-label="In/Out" tabIndex={0}>
        <PairBody {...pair} contents={contents} tab="input" />
        {contents.detail !== undefined && <PairBody {...pair} contents={contents} tab="output" />}
      </div>
    </section>
  );
}
