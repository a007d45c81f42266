import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Allowed, openBrowser, watchPage } from './browser.ts';

export interface WindowOptions extends Allowed {
  /** The only address that its pages may ask, such as `http://127.0.0.1:7717`. */
  readonly origin: string;
  /** @default 1440 */
  readonly width?: number;
  /** Fingers instead of a mouse. @default false */
  readonly hasTouch?: boolean;
}

/** Windows of a browser, for the tests of one file. */
export interface Windows {
  readonly browser: Browser;
  /** Opens a window with its own cookies. It is closed after the test. */
  open(options: WindowOptions): Promise<Page>;
  /** Opens one more page in the window of another. */
  openBeside(page: Page): Promise<Page>;
}

/** A machine that has other work takes its time. */
const TIMEOUT_MS = 60_000;

/**
 * Opens one browser for the file. A test fails when a page in one of its windows says or throws an error, opens a dialog or
 * asks another origin, whatever else the test looks at. Call it below the hooks that stop a service after each test: the last
 * hook runs first, and a page whose service is gone says so.
 */
export function windowsPerTest(): Windows {
  let browser: Browser | undefined;
  const contexts = new Map<BrowserContext, readonly string[]>();
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    for (const context of contexts.keys()) await hearAll(context);
    const faults = [...contexts.values()].flat();
    for (const context of contexts.keys()) await context.close();
    contexts.clear();
    if (faults.length > 0) throw new Error(`The page ${faults.join('\n')}`);
  });
  afterAll(async () => await browser?.close());
  const current = () => {
    if (browser === undefined) throw new Error('There is a browser only while tests run');
    return browser;
  };
  return {
    get browser() {
      return current();
    },
    async open({ origin, width = 1440, hasTouch = false, ...allowed }) {
      const viewport = { width, height: 900 };
      const context = await current().newContext({ viewport, hasTouch, reducedMotion: 'reduce' });
      context.setDefaultTimeout(TIMEOUT_MS);
      contexts.set(context, watchPage(context, origin, allowed));
      return await context.newPage();
    },
    openBeside: (page) => page.context().newPage(),
  };
}

/** What a page did before it answers was told before. */
async function hearAll(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.evaluate('0');
}
