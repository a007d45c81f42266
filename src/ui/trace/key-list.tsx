import { type ReactNode, useEffect, useRef } from 'react';
import { KeyCap } from '../controls/key-cap.tsx';
import { TRACE_KEYS } from './trace-keys.ts';
import classes from './key-list.module.css';

const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  'Shift+ArrowLeft': '⇧←',
  'Shift+ArrowRight': '⇧→',
  Escape: 'Esc',
};

export function KeyList({ onClose }: { readonly onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={classes.keys} aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {TRACE_KEYS.map(({ keys, words }) => (
          <div key={words}>
            <dt>
              {keys.map((key) => (
                <KeyCap key={key}>{NAMES[key] ?? key}</KeyCap>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
