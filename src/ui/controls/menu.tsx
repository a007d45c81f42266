import { type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import type { ButtonProps } from './button.tsx';
import { Icon, type IconName } from './signs/icon.tsx';
import { KeyCap } from './signs/key-cap.tsx';
import classes from './menu.module.css';
import { Popover } from './popover.tsx';

export interface MenuItem {
  readonly label: ReactNode;
  /** For items whose label is no text, or a text that changes while the menu is open: they keep the focus. */
  readonly id?: string;
  readonly icon?: IconName;
  readonly keyCap?: string;
  /** A short fact at the end. */
  readonly fact?: ReactNode;
  /** Of items that are chosen or not. */
  readonly isChosen?: boolean;
  /** The menu stays open, as for columns. */
  readonly isSticky?: boolean;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly button: ButtonProps & { readonly label?: string };
  /** Groups have a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly align?: 'start' | 'end';
  readonly side?: 'below' | 'above';
  /** Below the items, such as fields for what no item says. */
  readonly children?: ReactNode;
}

/** A button with a menu: arrows move, letters jump, Escape closes. */
export function Menu({ label, button, groups, align = 'start', side = 'below', children }: MenuProps): ReactElement {
  // A menu has items and nothing else: fields stand beside it.
  const isBeside = children !== undefined;
  const hasSigns = groups.some((group) => group.some(hasSign));
  return (
    <Popover label={label} role={isBeside ? 'dialog' : 'menu'} button={button} align={align} side={side}>
      {(close) => (
        <div className={classes.menu} onKeyDown={move}>
          <div {...(isBeside && { role: 'menu', 'aria-label': label })}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <div key={group.map(keyOf).join()} role="group" className={index > 0 ? classes.next : undefined}>
                  {group.map((item) => (
                    <Item key={keyOf(item)} item={item} isIndented={hasSigns && !hasSign(item)} onDone={close} />
                  ))}
                </div>
              ))}
          </div>
          {children}
        </div>
      )}
    </Popover>
  );
}

function hasSign({ icon, isChosen }: MenuItem): boolean {
  return icon !== undefined || isChosen !== undefined;
}

interface ItemProps {
  readonly item: MenuItem;
  /** Its words stand below those that have a sign before them. */
  readonly isIndented: boolean;
  readonly onDone: () => void;
}

function Item({ item, isIndented, onDone }: ItemProps): ReactElement {
  const { label, icon, keyCap, fact, isChosen, isSticky = false, isDisabled = false, onSelect } = item;
  return (
    <button
      type="button"
      role={isChosen === undefined ? 'menuitem' : isSticky ? 'menuitemcheckbox' : 'menuitemradio'}
      aria-checked={isChosen}
      tabIndex={-1}
      disabled={isDisabled}
      className={isIndented ? `${classes.item} ${classes.indented}` : classes.item}
      onClick={() => {
        if (!isSticky) onDone();
        onSelect();
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {isChosen !== undefined && <Icon name="check" className={isChosen ? classes.chosen : classes.unchosen} />}
      <span className="grow cut">{label}</span>
      {fact !== undefined && <span className="num-s faint">{fact}</span>}
      {keyCap !== undefined && <KeyCap keys={keyCap} />}
    </button>
  );
}

function keyOf({ id, label }: MenuItem): string {
  return id ?? (typeof label === 'string' ? label : '');
}

function move(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = nextOf(items, at, event.key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Keys that a line of text has a use for stay in it; up and down lead out of it. */
function nextOf(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (isField(document.activeElement) && !(key.startsWith('Arrow') && isLine(document.activeElement))) return undefined;
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const begins = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase());
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins);
}

function isField(element: Element | null): element is HTMLInputElement {
  return element instanceof HTMLInputElement;
}

function isLine({ type }: HTMLInputElement): boolean {
  return type === 'text';
}
