import { type KeyboardEvent, useState } from 'react';
import { allCommands, type Command, type CommandsOfPart } from './commands.ts';
import { keysNow, pressedKey } from './keys.ts';
import { ownKey, swapKey } from './own-keys.ts';
import { printKey } from './shown-key.ts';

/** A key for a command, as it may be taken: at once, when it is pressed once more as it has a meaning already, or not at all. */
export interface Offer {
  readonly is: 'free' | 'taken' | 'refused';
  /** The reason that keeps it from being taken at once. */
  readonly words: string;
}

export interface ChangeOptions {
  /** @default false */
  readonly isAgreed?: boolean;
  readonly again?: string;
  /** The commands of this page and of all others. @default all that there are */
  readonly elsewhere?: readonly CommandsOfPart[];
}

/** The command whose key is being changed, by the key that it has by itself. */
interface Asked extends Required<Pick<ChangeOptions, 'elsewhere'>> {
  readonly keys: string;
}

/**
 * Lets `wanted` do what `keys` does by itself, if that may be. Where another command has it, both change places, but only if that
 * is agreed to (`isAgreed`). Says what is in the way otherwise; `again` is what has to be done once more to agree.
 */
export function changeKey(keys: string, wanted: string, options: ChangeOptions = {}): Offer {
  const { isAgreed = false, again = 'press it', elsewhere = allCommands() } = options;
  const offer = offerOf({ keys, elsewhere }, wanted, again);
  if (offer.is === 'free' || (offer.is === 'taken' && isAgreed)) swapKey(keys, wanted);
  return offer;
}

/** The answer to `wanted`, meant for the command of `keys`. Conflicts are those of this page and of all others. */
function offerOf(asked: Asked, wanted: string, again: string): Offer {
  const { keys } = asked;
  const shown = printKey(wanted);
  // The key that a command has by itself is known to be one.
  const reason = wanted === keys ? undefined : reasonAgainst(wanted);
  if (reason !== undefined) return { is: 'refused', words: `${shown} ${reason}: press another key` };
  const begun = othersWith(asked, (own) => own.startsWith(`${wanted} `));
  if (begun !== '') return { is: 'refused', words: `${shown} begins the keys of ${begun}: change those first` };
  const first = othersWith(asked, (own) => wanted.startsWith(`${own} `));
  if (first !== '') return { is: 'refused', words: `${shown} begins with the key of ${first}: change that first` };
  const taken = othersWith(asked, (own) => own === wanted);
  if (taken === '') return { is: 'free', words: '' };
  const swap = `${again} once more to give ${taken} the key ${printKey(ownKey(keys))} instead, or press another key`;
  return { is: 'taken', words: `${shown} is ${taken}: ${swap}` };
}

/** Why a key can be that of no command. */
function reasonAgainst(wanted: string): string | undefined {
  if (!MAY_BE_CHOSEN.test(wanted)) return 'is a key of lists, fields and menus';
  return OF_BROWSERS.test(wanted) ? 'is a key of the browser' : undefined;
}

/** Signs, keys with Ctrl, ⌘ or Alt, and F1 to F24. All others lead through lists, fields and menus. */
const MAY_BE_CHOSEN = /^(?:\S|(?:Shift\+)?F\d+|(?:Mod|Alt)\+.+)$/;

/**
 * Commands of browsers, which some let no page have: copy, cut, paste, select, undo; load, find, address, tabs, windows,
 * print; zoom; back and forward; the whole screen and their tools.
 */
const OF_BROWSERS =
  /^(?:Mod\+(?:Alt\+)?(?:Shift\+)?[acvxzyrfltwnpsdqhoijug0-9=+-]|(?:Mod\+)?(?:Shift\+)?F5|F1[12]?|F3|F6|F7|(?:Mod|Alt)\+F4|(?:Mod|Alt)\+(?:Shift\+)?(?:Arrow\w+|Home|End|PageUp|PageDown))$/i;

/** Keys that are held down on the way to another. */
const ON_THE_WAY = /^(?:Control|Meta|OS|Shift|Alt|AltGraph|CapsLock|Fn|Dead|Process)$/;

/**
 * The commands whose key is one of those meant, but for those whose key is being changed: by their names, and with the part of the
 * page that they are of where they are not shown.
 */
function othersWith({ keys, elsewhere }: Asked, isMeant: (own: string) => boolean): string {
  const shown = keysNow().flatMap(({ bindings }) => bindings.flatMap((each) => namedBy(each, `“${each.label}”`)));
  const here = new Set(shown.map((each) => each.keys));
  const hidden = elsewhere
    .flatMap(({ name, commands }) => commands.flatMap((each) => namedBy(each, `“${each.label}” (${name})`)))
    .filter((each) => !here.has(each.keys));
  const others = [...shown, ...hidden].filter((each) => each.keys !== keys && isMeant(ownKey(each.keys)));
  return [...new Set(others.map(({ words }) => words))].join(' and ');
}

/** A command under each of its keys. */
function namedBy({ keys }: Command, words: string): readonly { readonly keys: string; readonly words: string }[] {
  return keys.map((each) => ({ keys: each, words }));
}

export interface KeyChange {
  /** The command that waits for its new key, by the key that it has by itself. */
  readonly waiting: string | undefined;
  /** Words to be said, about it or about what was just changed. */
  readonly words: string | undefined;
  readonly begin: (keys: string) => void;
  readonly end: () => void;
  /** Takes the next key. */
  readonly take: (event: KeyboardEvent) => void;
  /** Gives a command the key that it has by itself, or says what is in the way. */
  readonly giveBack: (keys: string) => void;
}

interface Waiting {
  readonly keys?: string;
  readonly words?: string;
  /** A key that was wanted once, and is known to be taken: for which command, and the key. */
  readonly asked?: readonly [keys: string, wanted: string];
}

/** One command at a time gets the next key that is pressed; Escape leaves it as it is. */
export function useKeyChange(elsewhere: readonly CommandsOfPart[]): KeyChange {
  const [{ keys, words, asked }, setState] = useState<Waiting>({});
  /** `waiting`: the command that goes on waiting for a key when this one is not taken. */
  const change = (of: string, wanted: string, on: { readonly waiting?: string; readonly again?: string }): void => {
    const isAgreed = asked?.[0] === of && asked[1] === wanted;
    const offer = changeKey(of, wanted, { isAgreed, elsewhere, ...(on.again !== undefined && { again: on.again }) });
    if (ownKey(of) === wanted) return setState({ words: `${printKey(wanted)} it is` });
    setState({
      ...(on.waiting !== undefined && { keys: on.waiting }),
      words: offer.words,
      ...(offer.is === 'taken' && { asked: [of, wanted] }),
    });
  };
  const take = (event: KeyboardEvent): void => {
    if (keys === undefined || event.key === 'Tab') return;
    // It is no command now, and Escape does not close the list of keys.
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || ON_THE_WAY.test(event.key)) return;
    if (event.key === 'Escape') return setState({});
    change(keys, pressedKey(event), { waiting: keys });
  };
  return {
    waiting: keys,
    words,
    begin: (next) => setState({ keys: next }),
    end: () => setState((before) => (before.keys === undefined ? before : {})),
    take,
    giveBack: (of) => change(of, of, { again: `press “back to ${printKey(of)}”` }),
  };
}
