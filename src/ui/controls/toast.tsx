import {
  createContext,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from './button.tsx';
import classes from './toast.module.css';

export interface ToastMessage {
  readonly text: string;
  readonly action?: { readonly label: string; readonly keyCap?: string; readonly run: () => void };
  /** Called once when it goes without its action; `isLeaving`: with the whole page, which has no more time. */
  readonly onGone?: (isLeaving: boolean) => void | Promise<void>;
}

type Show = (message: ToastMessage) => void;

interface Toasts {
  readonly show: Show;
  readonly finish: () => Promise<void>;
}

const ToastContext = createContext<Toasts>({ show: () => undefined, finish: async () => undefined });

/** How long a message can be read, and undone. */
const SHOWN_MS = 6000;

/** Says what was done, at the foot of the page. A new one takes the place of the former, but not of one that can be undone. */
export function ToastPlace({ children }: { readonly children: ReactNode }): ReactElement {
  const { messages, toasts, end } = useMessages();
  return (
    <ToastContext value={toasts}>
      {children}
      <div className={classes.place} role="status" aria-live="polite">
        {messages.map((each) => (
          <Toast key={each.key} message={each} onEnd={end} />
        ))}
      </div>
    </ToastContext>
  );
}

interface Shown extends ToastMessage {
  readonly key: number;
}

type End = (message: Shown, how: 'acted' | 'gone') => void;

function useMessages(): { readonly messages: readonly Shown[]; readonly toasts: Toasts; readonly end: End } {
  const [messages, setMessages] = useState<readonly Shown[]>([]);
  const now = useRef(messages);
  const count = useRef(0);
  /** Work that is still being done of messages that have gone. */
  const ending = useRef(new Set<Promise<void>>());
  const set = useCallback((next: readonly Shown[], isLeaving = false) => {
    const gone = now.current.filter((message) => !next.includes(message));
    now.current = next;
    setMessages(next);
    for (const message of gone) keepUntilDone(ending.current, message.onGone?.(isLeaving));
  }, []);
  const show = useCallback<Show>(
    (next) => {
      count.current += 1;
      set([...now.current.filter(({ action }) => action !== undefined), { ...next, key: count.current }]);
    },
    [set],
  );
  const end = useCallback<End>(
    (message, how) => {
      const others = now.current.filter((each) => each !== message);
      if (how === 'gone') return set(others);
      now.current = others;
      setMessages(others);
      message.action?.run();
    },
    [set],
  );
  useEffect(() => {
    const leave = (): void => set([], true);
    addEventListener('pagehide', leave);
    return () => removeEventListener('pagehide', leave);
  }, [set]);
  const finish = useCallback(async () => {
    set(now.current.filter(({ action }) => action === undefined));
    await Promise.all(ending.current);
  }, [set]);
  const toasts = useMemo(() => ({ show, finish }), [show, finish]);
  return { messages, toasts, end };
}

function keepUntilDone(ending: Set<Promise<void>>, work: void | Promise<void>): void {
  if (work === undefined) return;
  const kept = work.finally(() => ending.delete(kept));
  ending.add(kept);
}

/** It waits for who is about to use it. */
function Toast({ message, onEnd }: { readonly message: Shown; readonly onEnd: End }): ReactElement {
  const { text, action } = message;
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isPointedAt || isFocused;
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => onEnd(message, 'gone'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [message, isHeld, onEnd]);
  return (
    <span
      className={classes.toast}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {text}
      {action !== undefined && (
        <Button isSmall onClick={() => onEnd(message, 'acted')} {...(action.keyCap && { keyCap: action.keyCap })}>
          {action.label}
        </Button>
      )}
    </span>
  );
}

export function useToast(): Show {
  return useContext(ToastContext).show;
}

/** Ends the time in which things can be undone, and waits until they are done, or it is said why they are not. */
export function useFinish(): () => Promise<void> {
  return useContext(ToastContext).finish;
}
