import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import classes from './dialog.module.css';

export interface DialogProps {
  readonly label: string;
  readonly className?: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Over the page, which waits. The browser holds the focus in it and gives it back. */
export function Dialog({ label, className, onClose, children }: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
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
