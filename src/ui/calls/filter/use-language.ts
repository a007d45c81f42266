import { useEffect, useState } from 'react';
import type * as Language from './filter-language.ts';

export type FilterLanguage = typeof Language;

/** It stays: a page that has read one filter reads the next at once. */
let loaded: FilterLanguage | undefined;

/** What reads filters, once it is wanted and has come. An error in loading it is thrown to whoever shows errors. */
export function useLanguage(isWanted: boolean): FilterLanguage | undefined {
  const [language, setLanguage] = useState(loaded);
  const [error, setError] = useState<unknown>();
  const isMissing = isWanted && language === undefined;
  useEffect(() => {
    if (!isMissing) return;
    void load().then(setLanguage, setError);
  }, [isMissing]);
  if (error !== undefined) throw error;
  return language;
}

async function load(): Promise<FilterLanguage> {
  loaded = await import('./filter-language.ts');
  return loaded;
}
