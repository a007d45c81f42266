import { type KeyboardEvent, type ReactElement, useCallback, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../../controls/button.tsx';
import { Icon } from '../../controls/signs/icon.tsx';
import { KeyCap } from '../../controls/signs/key-cap.tsx';
import type { CallsSelection } from '../../data/answers.ts';
import { command } from '../../shell/commands.ts';
import { useKeys } from '../../shell/keys.ts';
import classes from './filter-bar.module.css';
import type { Suggestion } from './suggestions.ts';
import { type FilterLanguage, useLanguage } from './use-language.ts';
import { useSuggestions } from './use-suggestions.ts';

export interface FilterBarProps {
  readonly value: string;
  /** Calls whose values are suggested: those that the list is of without a filter. */
  readonly selection: CallsSelection;
  readonly onChange: (value: string) => void;
}

/** A filter counts when typing pauses so long. */
const PAUSE_MS = 300;

/** The filter as chips; as text, with suggestions, while it is written. */
export function FilterBar({ value, selection, onChange: tell }: FilterBarProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState<number>();
  const [at, setAt] = useState(-1);
  const [isWriting, setIsWriting] = useState(false);
  const listId = useId();
  const { language } = useLanguage(isWriting || value !== '');
  const onChange = useOwnChange(value, tell, setText);
  useKeys('List', [{ ...command('List', '/'), run: () => input.current?.focus() }]);
  useEffect(() => {
    const next = language && countingText(language, text, caret, value);
    if (next === undefined || next === value) return undefined;
    const timer = setTimeout(() => onChange(next), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [language, text, value, caret, onChange]);

  const suggestions = useSuggestions(language, text, isWriting ? caret : undefined, selection);
  const chosen = suggestions[at];
  const write = (next: string, place: number) => {
    setText(next);
    setAt(-1);
    requestAnimationFrame(() => {
      input.current?.setSelectionRange(place, place);
      setCaret(place);
    });
  };
  const take = ({ text: insert, span, isWhole }: Suggestion) => {
    const rest = text.slice(span.offset + span.length);
    const own = isWhole && !rest.startsWith(' ') ? `${insert} ` : insert;
    write(text.slice(0, span.offset) + own + rest, span.offset + own.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const count = suggestions.length;
    if (event.key === 'ArrowDown' && count > 0) setAt((at + 1) % count);
    else if (event.key === 'ArrowUp' && count > 0) setAt(at <= 0 ? count - 1 : at - 1);
    else if (event.key === 'Tab' && chosen !== undefined) take(chosen);
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen);
    else if (event.key === 'Enter') {
      onChange(text.trim());
      input.current?.blur();
    } else if (event.key === 'Escape' && caret !== undefined) setCaret(undefined);
    else if (event.key === 'Escape') input.current?.blur();
    else return;
    event.preventDefault();
  };
  const follow = () => setCaret(input.current?.selectionStart ?? undefined);
  const isEmpty = text === '';
  return (
    <div className={classes.field} role="search" onClick={() => input.current?.focus()}>
      <Icon name="search" />
      <div className={classes.text}>
        <input
          ref={input}
          className={isWriting ? classes.input : classes.hidden}
          role="combobox"
          aria-label="Filter"
          aria-expanded={isWriting && suggestions.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={chosen && `${listId}-${at}`}
          placeholder={isWriting ? 'words, field:value, > <, -not, or' : ''}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setCaret(event.target.selectionStart ?? undefined);
            setAt(-1);
          }}
          onSelect={follow}
          onFocus={() => {
            setIsWriting(true);
            follow();
          }}
          onBlur={() => {
            setIsWriting(false);
            setCaret(undefined);
            if (!Array.isArray(language?.parseFilter(text)) && text.trim() !== value) onChange(text.trim());
          }}
          onKeyDown={onKeyDown}
        />
        {!isWriting && (language === undefined ? text : <language.Chips text={text} />)}
        {!isWriting && (
          <span className={`faint cut ${isEmpty ? '' : 'wide'} ${classes.hint}`}>
            {'words, field:value, > <, -not, or'}
          </span>
        )}
      </div>
      {isEmpty ? (
        <span className="wide">
          <KeyCap keys="/" />
        </span>
      ) : (
        <IconButton
          icon="close"
          label="Clear the filter"
          isSmall
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.stopPropagation();
            setText('');
            onChange('');
          }}
        />
      )}
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        className={classes.list}
        hidden={!isWriting || caret === undefined || suggestions.length === 0}
      >
        {suggestions.map((suggestion, index) => (
          <div
            key={suggestion.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            className={classes.option}
            onMouseDown={(event) => {
              event.preventDefault();
              take(suggestion);
            }}
          >
            <span className={`cut ${classes.label}`}>{suggestion.label}</span>
            <span className="faint">{suggestion.fact}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The part of a text that counts when typing pauses in it; `undefined` leaves the list as it is. */
function countingText(
  language: FilterLanguage,
  text: string,
  caret: number | undefined,
  value: string,
): string | undefined {
  // Half a value finds nothing: it counts when it is chosen, or left.
  const isHalf = caret !== undefined && language.completionAt(text, caret)?.kind === 'value';
  const isWrong = Array.isArray(language.parseFilter(text));
  if (!isHalf && !isWrong) return text.trim();
  return caret === undefined ? undefined : language.withoutHalfTerm(text, caret, value);
}

/**
 * Follows a value that changes elsewhere. What was told from here comes back without the blank at its end, and while one
 * writes on: it is not written back. The function stays the same, however often the page around is drawn.
 */
function useOwnChange(
  value: string,
  tell: (value: string) => void,
  follow: (value: string) => void,
): (value: string) => void {
  const known = useRef(value);
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    if (value !== known.current) follow(value);
    known.current = value;
  }, [value, follow]);
  return useCallback((next: string) => {
    known.current = next;
    latest.current(next);
  }, []);
}
