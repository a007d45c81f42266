import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReader, type Reader } from '../../src/reader/reader.ts';
import { createServer, type SpoorServer } from '../../src/server/create-server.ts';
import { hasBrowser, openBrowser } from './browser.ts';
import { goTo, openWindow } from './open-shown.ts';
import { seed } from '../../examples/seeds/day.ts';
import { seedMedia } from '../../examples/seeds/images.ts';
import { seedStory, STORY } from './seed-story.ts';
import { shownPages } from './shown-pages.ts';
import { violationsOf } from './violations.ts';

const PROJECT = 'local/support-agent';

describe.skipIf(!hasBrowser)('axe finds nothing', { timeout: 240_000 }, () => {
  let home: string;
  let server: SpoorServer;
  let reader: Reader;
  let browser: Browser;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'spoor-axe-test-'));
    server = await createServer({ port: 0, storage: 'memory', home, logLevel: 'silent' });
    reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
    const now = Date.now();
    await seed(reader, { traces: 300, now });
    await seedStory(reader, now);
    await seedMedia(reader, now);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(home, { recursive: true, force: true });
  });

  describe.each([390, 1440])('at %i pixels', (width) => {
    test.each(shownPages(PROJECT, STORY))('on $name, light and dark', async (shown) => {
      const page = await openWindow(browser, { width, theme: 'light' });
      try {
        await goTo(page, shown, server.url, reader);
        expect(await violationsOf(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violationsOf(page)).toEqual([]);
      } finally {
        await page.context().close();
      }
    });
  });
});
