import { type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './dialog.module.css';

export interface DialogProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Over the page, which waits. The browser holds the focus in it; it goes back to where it was. */
export function Dialog({ label, className, onClose, children }: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  // While it is still on the page: the browser gives nothing back for a dialog that was taken away.
  useLayoutEffect(() => {
    const [dialog, before] = [ref.current, document.activeElement];
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-label={label}
      className={[classes.dialog, className].filter(Boolean).join(' ')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
