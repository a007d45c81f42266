import { useEffect, useRef } from 'react';
import type { Command } from './commands.ts';
import { type OwnKeys, ownKeys } from './own-keys.ts';
import { recall } from './remembered.ts';

/** A key, or two one after the other: `j`, `g c`, `Mod+k`, `Shift+j`, `Enter`. `Mod` is ⌘ on a Mac, else Ctrl. */
export interface KeyBinding extends Command {
  readonly run: (event: KeyboardEvent) => void;
  /** A key that is held down does it once. */
  readonly isOnce?: boolean;
  /** Also while something is typed, unless its key is one that types something. */
  readonly isEverywhere?: boolean;
  /** Before the same key of parts that were shown later. */
  readonly isFirst?: boolean;
  /** Only while the focus is in it, or nowhere: elsewhere the key means what it always means. */
  readonly within?: () => HTMLElement | null;
}

interface Scope {
  readonly name: string;
  readonly bindings: { current: readonly KeyBinding[] };
}

const scopes: Scope[] = [];

/** Two keys make one command when they follow each other so soon. */
const SEQUENCE_MS = 1000;

/** Keys of a part of the page, for as long as it is shown. `?` lists exactly these. The newest part comes first. */
export function useKeys(name: string, bindings: readonly KeyBinding[]): void {
  const current = useRef(bindings);
  useEffect(() => {
    current.current = bindings;
  });
  useEffect(() => {
    const scope = { name, bindings: current };
    scopes.push(scope);
    return () => void scopes.splice(scopes.indexOf(scope), 1);
  }, [name]);
}

/** All keys that work now, by part of the page. */
export function keysNow(): readonly { readonly name: string; readonly bindings: readonly KeyBinding[] }[] {
  return scopes
    .map(({ name, bindings }) => ({ name, bindings: bindings.current }))
    .filter(({ bindings }) => bindings.length > 0);
}

/** Where it is kept whether keys of one character work: who speaks to the computer, or touches keys by chance, turns them off. */
export const LETTER_KEYS = 'keys.letters';

let pending: { readonly key: string; readonly at: number } | undefined;

export function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const key = pressedKey(event);
  const sequence = pending !== undefined && event.timeStamp - pending.at < SEQUENCE_MS ? `${pending.key} ${key}` : key;
  const binding = bindingOf(sequence, event) ?? (sequence === key ? undefined : bindingOf(key, event));
  pending = binding === undefined && isStart(key) ? { key, at: event.timeStamp } : undefined;
  if (binding === undefined) return;
  event.preventDefault();
  if (binding.isOnce === true && event.repeat) return;
  binding.run(event);
}

/** Does what a key does by itself, for a button that stands for it: also where keys of one character are off. */
export function runKey(keys: string): void {
  bindingsNow()
    .find((binding) => binding.keys.includes(keys))
    ?.run(new KeyboardEvent('keydown', { key: keys }));
}

/** Elements that float over the page have their own keys: Escape closes them, and letters are those of a menu. */
const FLOATING = 'dialog[open], :popover-open';

function bindingOf(keys: string, event: KeyboardEvent): KeyBinding | undefined {
  const isTyping = isTypedIn(event.target) || document.querySelector(FLOATING) !== null;
  const hasLetters = recall(LETTER_KEYS) !== 'off';
  const own = ownKeys();
  return bindingsNow()
    .filter(
      (binding) =>
        hasKey(binding, keys, own) &&
        (hasLetters || !isOfLetters(keys)) &&
        (!isTyping || (binding.isEverywhere === true && !isOfLetters(keys))),
    )
    .find(({ within }) => within === undefined || isIn(within(), event));
}

function hasKey(binding: KeyBinding, pressed: string, own: OwnKeys): boolean {
  return binding.keys.some((keys) => (own.get(keys) ?? keys) === pressed);
}

/** In the order in which they are asked. */
function bindingsNow(): readonly KeyBinding[] {
  const all = scopes.toReversed().flatMap(({ bindings }) => bindings.current);
  return [...all.filter(({ isFirst = false }) => isFirst), ...all.filter(({ isFirst = false }) => !isFirst)];
}

function isOfLetters(keys: string): boolean {
  return keys.split(' ').some((key) => key.length === 1);
}

/**
 * Controls keep their own keys: Enter on a button presses it, and a link has none but Enter. Where nothing has the focus, a list
 * is about to get it.
 */
function isIn(place: HTMLElement | null, { target, key }: KeyboardEvent): boolean {
  if (target === document.body) return place !== null;
  if (!(target instanceof HTMLElement) || target.tagName === 'BUTTON') return false;
  if (target.tagName === 'A' && key === 'Enter') return false;
  return place?.contains(target) ?? false;
}

function isStart(key: string): boolean {
  const own = ownKeys();
  return scopes.some(({ bindings }) =>
    bindings.current.some(({ keys }) => keys.some((each) => (own.get(each) ?? each).startsWith(`${key} `))),
  );
}

/** Are letters written there? */
export function isTypedIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** The key that was pressed, as bindings name it. */
export function pressedKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const isMod = event.ctrlKey || event.metaKey;
  // Shift is part of what a letter or sign is; of other keys it has to be said.
  const shift = event.shiftKey && (event.key.length > 1 || isMod) ? 'Shift+' : '';
  return `${isMod ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${shift}${event.key}`;
}
