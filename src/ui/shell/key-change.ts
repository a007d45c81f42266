import { type KeyboardEvent, useState } from 'react';
import { keysNow, pressedKey } from './keys.ts';
import { changeKey, ownKey } from './own-keys.ts';
import { printKey } from './shown-key.ts';

/** A key for a command, as it may be taken: at once, when it is pressed once more as it has a meaning already, or not at all. */
export interface Offer {
  readonly is: 'free' | 'taken' | 'refused';
  /** What keeps it from being taken at once. */
  readonly words: string;
}

/** What may be said of `wanted`, pressed for what `keys` does by itself. Conflicts are those of the parts that are shown. */
export function offerOf(keys: string, wanted: string): Offer {
  if (!MAY_BE_CHOSEN.test(wanted)) {
    return { is: 'refused', words: `${printKey(wanted)} is a key of lists, fields and menus: press another key` };
  }
  const begun = othersWith(keys, (own) => own.startsWith(`${wanted} `));
  if (begun !== '') return { is: 'refused', words: `${printKey(wanted)} begins ${begun}: press another key` };
  const taken = othersWith(keys, (own) => own === wanted);
  if (taken === '') return { is: 'free', words: '' };
  const swap = `press it once more to give ${taken} the key ${printKey(ownKey(keys))} instead, or press another key`;
  return { is: 'taken', words: `${printKey(wanted)} is ${taken}: ${swap}` };
}

/** Signs, keys with Ctrl, ⌘ or Alt, and F1 to F24. All others lead through lists, fields and menus. */
const MAY_BE_CHOSEN = /^(?:\S|(?:Shift\+)?F\d+|(?:Mod|Alt)\+.+)$/;

/** Keys that are held down on the way to another. */
const ON_THE_WAY = /^(?:Control|Meta|OS|Shift|Alt|AltGraph|CapsLock|Fn|Dead|Process)$/;

/** The labels of commands whose key is one of those meant, but for the one whose key is being changed. */
function othersWith(keys: string, isMeant: (own: string) => boolean): string {
  const all = keysNow().flatMap(({ bindings }) => bindings);
  const others = all.filter((binding) => binding.keys.some((each) => each !== keys && isMeant(ownKey(each))));
  return [...new Set(others.map(({ label }) => `“${label}”`))].join(' and ');
}

export interface KeyChange {
  /** The command that waits for its new key, by the key that it has by itself. */
  readonly waiting: string | undefined;
  /** What is to be said, about it or about what was just changed. */
  readonly words: string | undefined;
  readonly begin: (keys: string) => void;
  readonly end: () => void;
  /** Takes the next key. */
  readonly take: (event: KeyboardEvent) => void;
}

interface Waiting {
  readonly keys?: string;
  readonly words?: string;
  /** Pressed once, and known to be taken. */
  readonly asked?: string;
}

/** One command at a time gets the next key that is pressed; Escape leaves it as it is. */
export function useKeyChange(): KeyChange {
  const [{ keys, words, asked }, setState] = useState<Waiting>({});
  const take = (event: KeyboardEvent): void => {
    if (keys === undefined || event.key === 'Tab') return;
    // It is no command now, and Escape does not close the list of keys.
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || ON_THE_WAY.test(event.key)) return;
    if (event.key === 'Escape') return setState({});
    const wanted = pressedKey(event);
    const offer = offerOf(keys, wanted);
    if (offer.is !== 'free' && wanted !== asked) {
      return setState({ keys, words: offer.words, ...(offer.is === 'taken' && { asked: wanted }) });
    }
    changeKey(keys, wanted);
    setState({ words: `${printKey(wanted)} it is` });
  };
  return {
    waiting: keys,
    words,
    begin: (next) => setState({ keys: next }),
    end: () => setState((before) => (before.keys === undefined ? before : {})),
    take,
  };
}
