import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { FoundInJson } from './find-in-json.ts';
import classes from './json.module.css';

export interface JsonFindProps {
  readonly wanted: string;
  readonly onWanted: (wanted: string) => void;
  readonly found: FoundInJson;
  /** Shows the place of that number. */
  readonly onGo: (index: number) => void;
  readonly onEnd: (() => void) | undefined;
}

/** Looks for a text in names and values; Enter goes to the next place, Shift+Enter back. */
export function JsonFind({ wanted, onWanted, found, onGo, onEnd }: JsonFindProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(-1);
  useEffect(() => input.current?.focus(), []);
  const { length } = found.offsets;
  const go = (step: number) => {
    if (length === 0) return;
    // Back from nowhere is the last.
    const next = at === -1 && step === -1 ? length - 1 : (at + step + length) % length;
    setAt(next);
    onGo(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onEnd?.();
    else go(event.shiftKey ? -1 : 1);
  };
  return (
    <search className={classes.find}>
      <input
        ref={input}
        className={classes.findInput}
        aria-label="Search in this value"
        placeholder="names and values"
        value={wanted}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setAt(-1);
          onWanted(target.value);
        }}
      />
      <output className={classes.findCount}>{placeText(wanted, at, found)}</output>
    </search>
  );
}

function placeText(wanted: string, at: number, { offsets, hasMore }: FoundInJson): string {
  if (wanted === '') return '';
  if (offsets.length === 0) return 'not found';
  const all = `${offsets.length.toLocaleString('en')}${hasMore ? '+' : ''}`;
  return at === -1 ? `${all} found` : `${at + 1} of ${all}`;
}
