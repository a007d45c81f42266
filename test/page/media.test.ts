import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { MEDIA, seedMedia } from '../../examples/seeds/images.ts';
import { servedPages } from './served-pages.ts';

const PATH = `/trace/${MEDIA.traceId}?call=${MEDIA.call}`;

describe.skipIf(!hasBrowser)('images and sounds', () => {
  const pages = servedPages({
    project: 'local/support-agent',
    seed: async (reader) => await seedMedia(reader, Date.now()),
    args: ['--storage', 'memory'],
  });

  test('of a conversation are seen and heard, stored or within the record; an image elsewhere is a link', async () => {
    const page = await pages.openAt(PATH);
    await expect.poll(() => widthsIn(page)).toEqual([120, 120]);
    await expect.poll(() => page.evaluate(SECONDS)).toEqual([1]);
    expect(await page.getByRole('link', { name: 'https://shop.example/kettle/blue.jpg' }).count()).toBe(1);
  });

  test('of a value are seen beside their type and size', async () => {
    const page = await pages.openAt(`${PATH}&tab=io`);
    await expect.poll(() => widthsIn(page)).toEqual([120, 120]);
  });
});

/** Of images as they are, which is nothing for one that is not there. */
async function widthsIn(page: Page): Promise<unknown> {
  return await page.evaluate(`[...document.querySelectorAll('img')].map((image) => image.naturalWidth)`);
}

const SECONDS = `[...document.querySelectorAll('audio')].map((sound) => Math.round(sound.duration))`;
