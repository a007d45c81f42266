import { recall, remember, useRemembered } from './remembered.ts';

/** From the key that a command has by itself to the one that it has in this browser; others keep theirs. */
export type OwnKeys = ReadonlyMap<string, string>;

const OWN_KEYS = 'keys.own';

let read: { readonly text: string; readonly own: OwnKeys } | undefined;

/** The keys that were changed. */
export function ownKeys(): OwnKeys {
  const text = recall(OWN_KEYS) ?? '';
  if (read?.text !== text) read = { text, own: new Map(pairsIn(text)) };
  return read.own;
}

/** The same, for a part that is drawn again when one is changed. */
export function useOwnKeys(): OwnKeys {
  useRemembered(OWN_KEYS, '');
  return ownKeys();
}

/** The key in this browser for what `keys` does by itself. */
export function ownKey(keys: string): string {
  return ownKeys().get(keys) ?? keys;
}

/**
 * Lets `to` do what `keys` does by itself, whatever is in the way: `changeKey` looks for that. What `to` did so far, on this page
 * or another, goes to the key that becomes free: keys change places, so no key has two meanings and no command is without a key,
 * on pages that are not shown as well.
 */
export function swapKey(keys: string, to: string): void {
  const own = new Map(ownKeys());
  const [holder] = [...own].find(([, each]) => each === to) ?? [to];
  own.set(holder, ownKey(keys)).set(keys, to);
  keep(own);
}

/** Every key does what it does by itself. */
export function resetKeys(): void {
  keep(new Map());
}

function keep(own: OwnKeys): void {
  remember(OWN_KEYS, JSON.stringify(Object.fromEntries([...own].filter(([keys, to]) => keys !== to))));
}

/** Keys that a browser has kept may be of another version, or of anybody: others than keys are left out. */
function pairsIn(text: string): readonly (readonly [string, string])[] {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null) return [];
    return Object.entries(kept).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  } catch {
    return [];
  }
}
