import { type ReactElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import classes from './popover.module.css';

export interface PopoverProps {
  /** The button that opens it. */
  readonly button: ButtonProps & { readonly label?: string };
  readonly role: 'dialog' | 'menu';
  readonly label: string;
  /** The edge of the button that it is under. */
  readonly align?: 'start' | 'end';
  readonly side?: 'below' | 'above';
  readonly className?: string | undefined;
  readonly children: (close: () => void) => ReactNode;
}

/** Room to the edges of the window. */
const MARGIN = 8;
const GAP = 4;

/** A button with something floating at it. Closed by Escape, by a click elsewhere, and by what is in it. */
export function Popover(props: PopoverProps): ReactElement {
  const { button, role, label, align = 'start', side = 'below', className, children } = props;
  const [isOpen, setIsOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const close = useCallback(() => {
    box.current?.hidePopover();
    trigger.current?.focus();
  }, []);
  useEffect(() => {
    const [opener, floating] = [trigger.current, box.current];
    if (!isOpen || opener === null || floating === null) return undefined;
    floating.showPopover();
    place(floating, opener.getBoundingClientRect(), align, side);
    firstOf(floating)?.focus();
    const onToggle = (event: Event) => setIsOpen((event as ToggleEvent).newState === 'open');
    floating.addEventListener('toggle', onToggle);
    return () => floating.removeEventListener('toggle', onToggle);
  }, [isOpen, align, side]);
  const { label: name, ...rest } = button;
  return (
    <>
      <Button
        {...rest}
        ref={trigger}
        aria-label={rest['aria-label'] ?? name}
        aria-haspopup={role}
        aria-expanded={isOpen}
        onClick={() => setIsOpen((was) => !was)}
      />
      {isOpen && (
        <div
          ref={box}
          popover="auto"
          role={role}
          aria-label={label}
          className={[classes.pop, className].filter(Boolean).join(' ')}
        >
          {children(close)}
        </div>
      )}
    </>
  );
}

function place(box: HTMLElement, at: DOMRect, align: 'start' | 'end', side: 'below' | 'above'): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const wanted = align === 'start' ? at.left : at.right - width;
  const left = Math.max(MARGIN, Math.min(wanted, innerWidth - width - MARGIN));
  const below = Math.min(at.bottom + GAP, innerHeight - height - MARGIN);
  const top = side === 'below' ? below : at.top - height - GAP;
  box.style.left = `${left}px`;
  box.style.top = `${Math.max(MARGIN, top)}px`;
}

function firstOf(box: HTMLElement): HTMLElement | null {
  return box.querySelector<HTMLElement>('[data-first], [role^="menuitem"], input, button, a');
}
