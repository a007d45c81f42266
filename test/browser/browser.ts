import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { ServiceProcess } from '../flow/service-process.ts';

const CHROMIUM = '/usr/bin/chromium';

/** Is there a browser to test with? */
export const hasBrowser = existsSync(CHROMIUM);

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}

/** A page, and what went wrong in it or left its service; both lists have to stay empty. */
export interface WatchedPage {
  readonly page: Page;
  readonly errors: readonly string[];
  readonly foreign: readonly string[];
}

export interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Opens a page of a service in a window of its own. */
export async function openPage(
  browser: Browser,
  { url }: Pick<ServiceProcess, 'url'>,
  { width = 1440, colorScheme = 'light' }: Look = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(`${url}/`) && !/^(?:blob|data):/.test(target)) foreign.push(target);
  });
  return { page, errors, foreign };
}

/** Logs in by a link, as `spoor serve` prints it, and waits until the page is somewhere else. */
export async function logIn(page: Page, { url, apiKey }: Pick<ServiceProcess, 'url' | 'apiKey'>): Promise<void> {
  const response = await fetch(`${url}/x/session/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { token } = (await response.json()) as { readonly token: string };
  await page.goto(`${url}/ui/login#token=${token}`);
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/login'));
}
