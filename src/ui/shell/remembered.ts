import { useCallback, useSyncExternalStore } from 'react';

const PREFIX = 'spoor.';
const listeners = new Set<() => void>();

/** A value that this browser keeps between visits. Where it keeps nothing, the value lives as long as the page. */
export function useRemembered(key: string, fallback: string): readonly [string, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => recall(key) ?? fallback);
  const set = useCallback((next: string) => remember(key, next), [key]);
  return [value, set];
}

const unsaved = new Map<string, string>();

export function recall(key: string): string | undefined {
  if (unsaved.has(key)) return unsaved.get(key);
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    // Storage is switched off for this page.
    return undefined;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    unsaved.set(key, value);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
