import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReader } from '../../src/reader/reader.ts';
import { createServer, type SpoorServer } from '../../src/server/create-server.ts';
import { hasBrowser, openBrowser, watchPage } from './browser.ts';
import { goTo, openWindow } from './open-shown.ts';
import { MEDIA, seedMedia } from '../../examples/seeds/images.ts';

const PROJECT = 'local/support-agent';
const PATH = `/${PROJECT}/trace/${MEDIA.traceId}?call=${MEDIA.call}`;

describe.skipIf(!hasBrowser)('images and sounds', { timeout: 120_000 }, () => {
  let home: string;
  let server: SpoorServer;
  let browser: Browser;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'spoor-media-test-'));
    server = await createServer({ port: 0, storage: 'memory', home, logLevel: 'silent' });
    await seedMedia(createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT }), Date.now());
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(home, { recursive: true, force: true });
  });

  async function open(path: string): Promise<{ readonly page: Page; readonly faults: readonly string[] }> {
    const reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
    const page = await openWindow(browser, { width: 1440, theme: 'light' });
    const faults = watchPage(page.context(), server.url);
    await goTo(page, { name: 'media', path, ready: () => page.locator('img').nth(1).waitFor() }, server.url, reader);
    return { page, faults };
  }

  test('of a conversation are seen and heard, stored or within the record; an image elsewhere is a link', async () => {
    const { page, faults } = await open(PATH);
    await expect.poll(() => page.evaluate(WIDTHS)).toEqual([120, 120]);
    await expect.poll(() => page.evaluate(SECONDS)).toEqual([1]);
    expect(await page.getByRole('link', { name: 'https://shop.example/kettle/blue.jpg' }).count()).toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('of a value are seen beside their type and size', async () => {
    const { page, faults } = await open(`${PATH}&tab=io`);
    await expect.poll(() => page.evaluate(WIDTHS)).toEqual([120, 120]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

const WIDTHS = `[...document.querySelectorAll('img')].map((image) => image.naturalWidth)`;
const SECONDS = `[...document.querySelectorAll('audio')].map((sound) => Math.round(sound.duration))`;
