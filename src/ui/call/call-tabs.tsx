import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import classes from './call-detail.module.css';

export type CallTab = 'io' | 'chat' | 'code' | 'attributes' | 'usage' | 'feedback' | 'raw';

export const TAB_NAMES: Readonly<Record<CallTab, string>> = {
  io: 'In/Out',
  chat: 'Chat',
  code: 'Code',
  attributes: 'Attributes',
  usage: 'Usage',
  feedback: 'Feedback',
  raw: 'Raw',
};

export interface CallTabsProps {
  readonly tabs: readonly CallTab[];
  readonly tab: CallTab;
  readonly onTab: (tab: CallTab) => void;
  /** How many notes and marks there are. */
  readonly feedback: number;
  /** Something is written there and not saved. */
  readonly hasDraft: boolean;
}

/** One tab stop; arrows go from tab to tab. */
export function CallTabs({ tabs, tab, onTab, feedback, hasDraft }: CallTabsProps): ReactElement {
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab;
    onTab(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  const list = useRef<HTMLDivElement>(null);
  // Of more than fit, the one that is shown stands in sight.
  useEffect(() => {
    // What it returns in newer browsers is nothing that ends an effect.
    list.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <div ref={list} className={classes.tabs} role="tablist" aria-label="Call" onKeyDown={move}>
      {tabs.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          data-tab={each}
          aria-selected={each === tab}
          tabIndex={each === tab ? 0 : -1}
          onClick={() => onTab(each)}
        >
          {TAB_NAMES[each]}
          {each === 'feedback' && feedback > 0 && <small>{feedback}</small>}
          {each === 'feedback' && hasDraft && <small title="Written and not saved">draft</small>}
        </button>
      ))}
    </div>
  );
}
