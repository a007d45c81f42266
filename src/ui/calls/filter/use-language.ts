import { useCallback, useEffect, useState } from 'react';
import { notLoaded } from '../../controls/late-part.tsx';
import type * as Language from './filter-language.ts';

export type FilterLanguage = typeof Language;

export interface LoadedLanguage {
  /** Absent until it is wanted and has come. */
  readonly language: FilterLanguage | undefined;
  /** It could not be loaded. */
  readonly error: Error | undefined;
  readonly retry: () => void;
}

/** It stays: a page that has read one filter reads the next at once. */
let loaded: FilterLanguage | undefined;

/** The filter language, once it is wanted and has come. */
export function useLanguage(isWanted: boolean, load = loadLanguage): LoadedLanguage {
  const [language, setLanguage] = useState(loaded);
  const [error, setError] = useState<Error>();
  const isMissing = isWanted && language === undefined && error === undefined;
  useEffect(() => {
    if (!isMissing) return;
    void load().then(setLanguage, (reason: unknown) => setError(notLoaded(reason)));
  }, [isMissing, load]);
  return { language, error, retry: useCallback(() => setError(undefined), []) };
}

async function loadLanguage(): Promise<FilterLanguage> {
  loaded = await import('./filter-language.ts');
  return loaded;
}
