import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { Button } from './button.tsx';
import classes from './toast.module.css';

export interface ToastMessage {
  readonly text: string;
  readonly action?: { readonly label: string; readonly keyCap?: string; readonly run: () => void };
  /** Called once when it goes without its action. */
  readonly onGone?: () => void;
}

type Show = (message: ToastMessage) => void;

const ToastContext = createContext<Show>(() => undefined);

/** How long a message can be read, and undone. */
const SHOWN_MS = 6000;

/** Says what was done, at the foot of the page. One at a time: a new one takes the place of the former. */
export function ToastPlace({ children }: { readonly children: ReactNode }): ReactElement {
  const [message, setMessage] = useState<ToastMessage>();
  const show = useCallback<Show>((next) => setMessage(next), []);
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => setMessage((now) => (now === message ? undefined : now)), SHOWN_MS);
    return () => {
      clearTimeout(timer);
      message.onGone?.();
    };
  }, [message]);
  const act = useMemo(() => () => takeAction(message, setMessage), [message]);
  return (
    <ToastContext value={show}>
      {children}
      <div className={classes.place} role="status" aria-live="polite">
        {message !== undefined && (
          <span className={classes.toast}>
            {message.text}
            {message.action !== undefined && (
              <Button isSmall onClick={act} {...(message.action.keyCap && { keyCap: message.action.keyCap })}>
                {message.action.label}
              </Button>
            )}
          </span>
        )}
      </div>
    </ToastContext>
  );
}

function takeAction(message: ToastMessage | undefined, setMessage: (next: undefined) => void): void {
  message?.action?.run();
  setMessage(undefined);
}

export function useToast(): Show {
  return useContext(ToastContext);
}
