import { ownKey, useOwnKeys } from './own-keys.ts';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const SIGNS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: '↵',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** A key as it stands on the keyboard in front of the reader. */
export function printKey(keys: string): string {
  // The space bar is a key as well, and no gap between two.
  return keys
    .split(/(?<=\S) (?=\S)/)
    .map(printOne)
    .join(' ');
}

const HELD: Readonly<Record<string, string>> = {
  'Mod+': IS_MAC ? '⌘' : 'Ctrl ',
  'Alt+': IS_MAC ? '⌥' : 'Alt ',
  'Shift+': '⇧',
};

function printOne(key: string): string {
  const [, held = '', name = ''] = /^((?:(?:Mod|Alt|Shift)\+)*)(.+)$/.exec(key) ?? [];
  // With another key a letter is printed as it stands on the key; alone it is told from the one with Shift.
  const sign = SIGNS[name] ?? (/Mod|Alt/.test(held) && name.length === 1 ? name.toUpperCase() : name);
  return held.replace(/\w+\+/g, (each) => HELD[each] ?? each) + sign;
}

/** Says which key does here what `keys` does by itself; the part is drawn again when that is changed. */
export function useShownKeys(): (keys: string) => string {
  useOwnKeys();
  return shownKey;
}

function shownKey(keys: string): string {
  return printKey(ownKey(keys));
}
