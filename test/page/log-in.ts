import type { BrowserContext } from 'playwright-core';
import { PAGE_HEADER } from '../../src/protocol/page/page-header.ts';
import type { Reader } from '../../src/reader/reader.ts';

/**
 * Gives a window the session that its login page would get, without the time that showing that page takes. Logging in as one
 * does is the matter of `journeys/getting-in.test.ts`.
 */
export async function logIn(context: BrowserContext, url: string, reader: Reader): Promise<void> {
  const { token } = await reader.page.session.createToken();
  const answer = await context.request.post(`${url}/x/session`, {
    data: { token },
    headers: { origin: new URL(url).origin, [PAGE_HEADER]: '1' },
  });
  if (!answer.ok()) throw new Error(`No session: ${answer.status()} ${await answer.text()}`);
}
