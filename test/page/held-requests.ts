import type { Page } from 'playwright-core';

/** Holds back what is asked for, until what it returns is called. */
export async function holdRequests(page: Page, asked: string): Promise<() => Promise<void>> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(asked, async (route) => {
    await released;
    // Whoever did not want it any more has left.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release();
    await page.unroute(asked);
  };
}

/** Asks for the project of nobody instead, which the service refuses. */
export async function spoilRequests(page: Page, asked: string): Promise<void> {
  await page.route(asked, async (route) => {
    const body = JSON.parse(route.request().postData() ?? '{}') as object;
    await route.continue({ postData: JSON.stringify({ ...body, project_id: 'no project' }) });
  });
}
