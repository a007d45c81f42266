import { createReader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { goTo } from './open-shown.ts';
import { seed } from '../../examples/seeds/day.ts';
import { seedMedia } from '../../examples/seeds/images.ts';
import { RUNS_PROJECT, seedRuns } from './seed-runs.ts';
import { seedProcesses } from './seed-processes.ts';
import { seedStates } from './seed-states.ts';
import { seedStory, STORY } from './seed-story.ts';
import { servedPages } from './served-pages.ts';
import { shownPages } from './shown-pages.ts';
import { shownStates, STATES_PROJECT } from './shown-states.ts';
import { violationsInBoth } from './violations.ts';

const PROJECT = 'local/support-agent';
/** Pages at both widths; what is opened in them, and what goes wrong, where it has most in it. */
const SHOWN = [
  ...shownPages(PROJECT, STORY),
  ...shownStates(PROJECT, STORY).map((shown) => ({ on: 'desk' as const, ...shown })),
];
/** States that only go wrong by a request which is refused, and the file in which a trace was saved. */
const ALLOWED = { mayBeSaid: /\b400\b/, mayBeAsked: /^file:.*\/trace\.html$/ };

describe.skipIf(!hasBrowser)('axe finds nothing', () => {
  const pages = servedPages({
    project: PROJECT,
    args: ['--storage', 'memory', '--editor', 'code', '--source-roots', '.'],
    seed: async (reader) => {
      const now = Date.now();
      await seed(reader, { traces: 300, now });
      await seedStory(reader, now);
      await seedMedia(reader, now);
      const { url, apiKey } = pages.service;
      await seedProcesses({ url, apiKey, project: PROJECT }, now);
      await seedStates(createReader({ url, apiKey, project: STATES_PROJECT }));
      await seedRuns(createReader({ url, apiKey, project: RUNS_PROJECT }));
    },
  });

  describe.each([
    [390, 'phone'],
    [1440, 'desk'],
  ] as const)('at %i pixels', (width, place) => {
    test.each(SHOWN.filter(({ on = place }) => on === place))('on $name, light and dark', async (shown) => {
      const page = await pages.windows.open({ origin: pages.service.url, width, ...ALLOWED });
      await goTo(page, shown, pages.service.url, pages.reader);
      expect(await violationsInBoth(page)).toEqual([]);
    });
  });
});
