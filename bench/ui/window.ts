import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createReader } from '../../src/reader/reader.ts';
import type { Target } from '../measure.ts';

type Session = Exclude<BrowserContextOptions['storageState'], string | undefined>;

const IN_PAGE = new URL('in-page.js', import.meta.url).pathname;
const TIMEOUT_MS = 120_000;

/** Logs in once; windows with the session start with an empty cache. */
export async function logIn(browser: Browser, target: Target): Promise<Session> {
  const { token } = await createReader({ ...target, project: 'acme/lists' }).page.session.createToken();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${target.url}/ui/login#token=${token}`);
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/login'));
  const session = await context.storageState();
  await context.close();
  return session;
}

/** Shows one address in a window of its own until `use` is over. */
export async function inWindow<T>(
  { browser, session }: { readonly browser: Browser; readonly session: Session },
  address: string,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: session });
  await context.addInitScript({ path: IN_PAGE });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  try {
    await page.goto(address, { waitUntil: 'commit' });
    return await use(page);
  } finally {
    await context.close();
  }
}

/** Calls what `in-page.js` defines. */
export async function inPage<T>(page: Page, name: string, ...args: readonly unknown[]): Promise<T> {
  return await page.evaluate(`bench.${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`);
}
