import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { goTo, openWindow } from './open-shown.ts';
import { seed } from '../../examples/seeds/day.ts';
import { seedMedia } from '../../examples/seeds/images.ts';
import { seedStory, STORY } from './seed-story.ts';
import { servedPages } from './served-pages.ts';
import { shownPages } from './shown-pages.ts';
import { violationsOf } from './violations.ts';

const PROJECT = 'local/support-agent';

describe.skipIf(!hasBrowser)('axe finds nothing', () => {
  const pages = servedPages({
    project: PROJECT,
    args: ['--storage', 'memory'],
    seed: async (reader) => {
      const now = Date.now();
      await seed(reader, { traces: 300, now });
      await seedStory(reader, now);
      await seedMedia(reader, now);
    },
  });

  describe.each([390, 1440])('at %i pixels', (width) => {
    test.each(shownPages(PROJECT, STORY))('on $name, light and dark', async (shown) => {
      const page = await openWindow(pages.windows.browser, { width, theme: 'light' });
      try {
        await goTo(page, shown, pages.service.url, pages.reader);
        expect(await violationsOf(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await violationsOf(page)).toEqual([]);
      } finally {
        await page.context().close();
      }
    });
  });
});
