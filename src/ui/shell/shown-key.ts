import { ownKey, useOwnKeys } from './own-keys.ts';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

const SIGNS: Readonly<Record<string, string>> = {
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
  return keys
    .split(' ')
    .map((key) => key.replace('Mod+', IS_MAC ? '⌘' : 'Ctrl '))
    .map((key) => key.replace('Shift+', '⇧').replace('Alt+', IS_MAC ? '⌥' : 'Alt '))
    .map((key) => key.replace(/[A-Z]\w+$/, (name) => SIGNS[name] ?? name))
    .map((key) => (/ [a-z]$|⌘[a-z]$/.test(key) ? key.toUpperCase().replace('CTRL', 'Ctrl') : key))
    .join(' ');
}

/** Says which key does here what `keys` does by itself; the part is drawn again when that is changed. */
export function useShownKeys(): (keys: string) => string {
  useOwnKeys();
  return shownKey;
}

function shownKey(keys: string): string {
  return printKey(ownKey(keys));
}
