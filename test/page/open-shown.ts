import type { Browser, Page } from 'playwright-core';
import type { Reader } from '../../src/reader/reader.ts';
import { logIn } from './log-in.ts';
import type { ShownPage } from './shown-pages.ts';

/** A machine that has other work takes its time. */
const TIMEOUT_MS = 60_000;

export interface Look {
  readonly width: number;
  /** @default 900 */
  readonly height?: number;
  readonly theme: 'light' | 'dark';
}

/** A window of its own, since what one page remembers must not change the next. Whoever opens it closes its context. */
export async function openWindow(browser: Browser, { width, height = 900, theme }: Look): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  return page;
}

/** Resolves when the window shows the page in its state. */
export async function goTo(page: Page, shown: ShownPage, url: string, reader: Reader): Promise<void> {
  if (shown.isLoggedIn !== false) await logIn(page.context(), url, reader);
  await shown.before?.(page);
  await page.goto(`${url}/ui${shown.path}`);
  await shown.ready(page);
  await page.evaluate('document.fonts.ready');
}
