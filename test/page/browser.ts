import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** Debian's Chromium, or the one that the environment names. Where there is none, tests of the page say that they are skipped. */
const PROGRAM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasBrowser = existsSync(PROGRAM);

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
}

/** That there is no session is asked, and answered with 401, before one logs in; and tests take the network away. */
const USUAL = /\b401\b|ERR_INTERNET_DISCONNECTED/;

/** What a page may do all the same. */
export interface Allowed {
  /** What the browser may say as an error, such as that a service which was killed does not answer. */
  readonly mayBeSaid?: RegExp | undefined;
  /** Addresses that may be asked beside the origin, such as that of a file which was saved. */
  readonly mayBeAsked?: RegExp | undefined;
}

/**
 * What no page of a window may do: say or throw an error, open a dialog, or ask another origin. The list grows while the
 * window is open.
 */
export function watchPage(context: BrowserContext, origin: string, allowed: Allowed = {}): readonly string[] {
  const { mayBeSaid, mayBeAsked } = allowed;
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(`thrown: ${error.error().message}`));
  context.on('console', (message) => {
    const isExpected = USUAL.test(message.text()) || mayBeSaid?.test(message.text());
    if (message.type() === 'error' && !isExpected) faults.push(`said: ${message.text()}`);
  });
  context.on('dialog', (dialog) => {
    faults.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const isOwn = request.url().startsWith(origin) || /^(?:data|blob):/.test(request.url());
    if (!isOwn && !mayBeAsked?.test(request.url())) faults.push(`asked: ${request.url()}`);
  });
  return faults;
}
