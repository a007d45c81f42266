// Pictures of every page in its states, to be laid beside `mock/pictures` or to be put into the docs:
// `npm run page:pictures -- <folder>`. `--only calls,trace*` takes pages by their names or how these begin; `--widths 1440`,
// `--height 640` and `--themes dark` are some of the looks.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { createReader } from '../../src/reader/reader.ts';
import { createServer } from '../../src/server/create-server.ts';
import { openBrowser } from './browser.ts';
import { goTo, type Look, openWindow } from './open-shown.ts';
import { seed } from '../../examples/seeds/day.ts';
import { seedMedia } from '../../examples/seeds/images.ts';
import { RUNS_PROJECT, seedRuns } from './seed-runs.ts';
import { seedProcesses } from './seed-processes.ts';
import { seedStates } from './seed-states.ts';
import { seedStory, type Story } from './seed-story.ts';
import { shownPages, type ShownPage } from './shown-pages.ts';
import { shownStates, STATES_PROJECT } from './shown-states.ts';

const PROJECT = 'local/support-agent';
/** Up to this width the page is that of a phone. */
const PHONE_PX = 720;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '*' },
    height: { type: 'string', default: '900' },
    widths: { type: 'string', default: '390,1280,1440,1920' },
    themes: { type: 'string', default: 'light,dark' },
  },
});
const folder = positionals[0] ?? 'pictures';
const home = await mkdtemp(join(tmpdir(), 'spoor-pictures-'));
const server = await createServer({ port: 0, storage: 'memory', home, logLevel: 'silent' });
const reader = createReader({ url: server.url, apiKey: server.apiKey, project: PROJECT });
const now = Date.now();
await seed(reader, { traces: 1500, now });
const story = await seedStory(reader, now);
await seedMedia(reader, now);
await seedProcesses({ url: server.url, apiKey: server.apiKey, project: PROJECT }, now);
await seedStates(createReader({ url: server.url, apiKey: server.apiKey, project: STATES_PROJECT }));
await seedRuns(createReader({ url: server.url, apiKey: server.apiKey, project: RUNS_PROJECT }));
const browser = await openBrowser();
await mkdir(folder, { recursive: true });
try {
  for (const width of values.widths.split(',').map(Number)) {
    for (const theme of values.themes.split(',').map((name) => (name === 'dark' ? name : 'light')))
      await takeAll(browser, story, { width, height: Number(values.height), theme });
  }
} finally {
  await browser.close();
  await server.close();
  await rm(home, { recursive: true, force: true });
}

async function takeAll(from: Browser, told: Story, look: Look): Promise<void> {
  const only = values.only.split(',');
  const isWanted = (name: string) =>
    only.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
  const place = look.width > PHONE_PX ? 'desk' : 'phone';
  const wanted = [...shownPages(PROJECT, told), ...shownStates(PROJECT, told)].filter(
    ({ name, on = place }) => isWanted(name) && on === place,
  );
  for (const shown of wanted) await take(from, shown, look);
}

async function take(from: Browser, shown: ShownPage, look: Look): Promise<void> {
  const page = await openWindow(from, look);
  const file = `${shown.name}-${look.width}-${look.theme}`;
  try {
    await goTo(page, shown, server.url, reader);
    await page.screenshot({ path: join(folder, `${file}.png`) });
  } catch (error) {
    process.exitCode = 1;
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    await page.screenshot({ path: join(folder, `${file}-failed.png`) });
  } finally {
    await page.context().close();
  }
}
