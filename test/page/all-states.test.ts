import { createReader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from './browser.ts';
import { faultsOf } from './faults-of-width.ts';
import { goTo } from './open-shown.ts';
import { seed } from '../../examples/seeds/day.ts';
import { seedMedia } from '../../examples/seeds/images.ts';
import { RUNS_PROJECT, seedRuns } from './seed-runs.ts';
import { seedProcesses } from './seed-processes.ts';
import { seedStates } from './seed-states.ts';
import { seedStory, STORY } from './seed-story.ts';
import { servedPages } from './served-pages.ts';
import { shownPages, type ShownPage } from './shown-pages.ts';
import { shownStates, STATES_PROJECT } from './shown-states.ts';
import { violationsInBoth } from './violations.ts';

const PROJECT = 'local/support-agent';
/** Pages at both widths; what is opened in them, and what goes wrong, where it has most in it. */
const SHOWN = [
  ...shownPages(PROJECT, STORY),
  ...shownStates(PROJECT, STORY).map((shown) => ({ on: 'desk' as const, ...shown })),
];
/** That a service is gone stands in the same line over all pages, and some find out after ten seconds only. */
const ON_PHONE = shownStates(PROJECT, STORY).filter(
  ({ name, on }) => on !== 'desk' && (name === 'calls-gone' || !name.endsWith('-gone')),
);
/** States that only go wrong by a request which is refused, and the file in which a trace was saved. */
const ALLOWED = { mayBeSaid: /\b400\b/, mayBeAsked: /^file:.*\/trace\.html$/ };

describe.skipIf(!hasBrowser)('of every page in every state', () => {
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
    test.each(SHOWN.filter(({ on = place }) => on === place))(
      'axe finds nothing on $name, light and dark',
      async (shown) => {
        const page = await pages.windows.open({ origin: pages.service.url, width, ...ALLOWED });
        await goTo(page, shown, pages.service.url, pages.reader);
        expect(await violationsInBoth(page)).toEqual([]);
      },
    );
  });

  test('a phone shows each state without scrolling to the side', async () => {
    // Most of the time they wait for the network to be quiet.
    const faults = await Promise.all(
      [0, 1].map(async (rest) => await faultsIn(ON_PHONE.filter((_, index) => index % 2 === rest))),
    );
    expect(faults.flat()).toEqual([]);
  });

  /** Faults of states on a phone, one after another. */
  async function faultsIn(states: readonly ShownPage[]): Promise<readonly string[]> {
    const page = await pages.windows.open({ origin: pages.service.url, width: 360, hasTouch: true, ...ALLOWED });
    const faults: string[] = [];
    for (const shown of states) {
      try {
        await goTo(page, shown, pages.service.url, pages.reader);
      } catch (error) {
        throw new Error(`The page is not in the state ${shown.name}`, { cause: error });
      }
      faults.push(...(await faultsOf(page, true)).map((fault) => `${shown.name}: ${fault}`));
      // What is held back in a state does not happen when it is left, either.
      await page.goto('about:blank');
      await page.unrouteAll();
      await page.context().setOffline(false);
    }
    return faults;
  }
});
