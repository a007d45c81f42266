import { useEffect } from 'react';
import { useRemembered } from './remembered.ts';

export type Theme = 'system' | 'light' | 'dark';

/** The look of the page, and the next one. Without a choice, the system decides. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [kept, keep] = useRemembered('theme', 'system');
  const theme = kept === 'light' || kept === 'dark' ? kept : 'system';
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [theme, keep];
}

/** The other of light and dark than what is seen. */
export function otherTheme(theme: Theme): Theme {
  const isDark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
  return isDark ? 'light' : 'dark';
}
