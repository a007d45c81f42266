import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's Chromium, or the one that the environment names. Where there is none, tests of the page say that they are skipped. */
const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasBrowser = existsSync(PROGRAM);

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
}

/** What a page must not do: say an error, or ask another origin. */
export function watchPage(page: Page, origin: string): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    // That there is no session is asked, and answered with 401, before one logs in; and tests take the network away.
    const isExpected = /\b401\b|ERR_INTERNET_DISCONNECTED/.test(message.text());
    if (message.type() === 'error' && !isExpected) faults.push(`said: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
      faults.push(`asked: ${request.url()}`);
  });
  return faults;
}
