import type { Page } from 'playwright-core';
import { MEDIA } from '../../examples/seeds/images.ts';
import { CALLS_AFTER, RUNS, RUNS_PROJECT } from './seed-runs.ts';
import type { Story } from './seed-story.ts';

/** One page in one state. */
export interface ShownPage {
  /** Begins a file name. */
  readonly name: string;
  /** Below `/ui`. */
  readonly path: string;
  /** Where there is such a state. @default everywhere */
  readonly on?: 'desk' | 'phone';
  /** What is done before the page is asked for. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Brings the page into the state, and resolves when it is there. */
  readonly ready: (page: Page) => Promise<unknown>;
  /** @default true */
  readonly isLoggedIn?: boolean;
}

/** Pages × states that pictures are taken of and that rules for everybody are tried on. */
export function shownPages(project: string, story: Story): readonly ShownPage[] {
  return [...callsPages(project), ...tracePages(project, story), ...comparePages(), ...otherPages(project, story)];
}

function callsPages(project: string): readonly ShownPage[] {
  const path = `/${project}/calls`;
  return [
    { name: 'calls', path, ready: hasRows },
    {
      name: 'calls-selected',
      path,
      ready: async (page) => (await hasRows(page), await pressAll(page, 'j', 'x', 'j', 'x')),
    },
    {
      name: 'calls-peek',
      path,
      async ready(page) {
        await hasRows(page);
        await page.getByRole('row').nth(4).click();
        await page.getByRole('tablist', { name: 'Call' }).or(page.getByRole('treegrid')).first().waitFor();
      },
    },
    {
      name: 'calls-filter',
      path: `${path}?q=status:error`,
      // A phone says the message of an error, not its class.
      ready: (page) =>
        page
          .getByText(/SMTPError|mailbox unavailable/)
          .first()
          .waitFor(),
    },
    { name: 'calls-why', path: `${path}?q=error:RateLimitError&why=1`, ready: hasDifferences },
    {
      name: 'calls-suggest',
      path,
      async ready(page) {
        await hasRows(page);
        await page.keyboard.press('/');
        await page.keyboard.type('op:');
        await page.getByRole('option').first().waitFor();
      },
    },
    {
      name: 'calls-none',
      path: `${path}?q=op:nothing_is_called_so`,
      ready: (page) =>
        page
          .getByText(/^No calls?/)
          .first()
          .waitFor(),
    },
    { name: 'calls-all', path: `${path}?roots=0`, ready: hasRows },
    {
      name: 'calls-jump',
      path,
      async ready(page) {
        await hasRows(page);
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByRole('option').nth(4).waitFor();
      },
    },
    {
      name: 'calls-keys',
      path,
      async ready(page) {
        await hasRows(page);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
  ];
}

const TABS = ['io', 'code', 'attributes', 'usage', 'feedback', 'raw'] as const;

function tracePages(project: string, { traceId, calls }: Story): readonly ShownPage[] {
  const path = `/${project}/trace/${traceId}?call=${calls.chat}`;
  const forms = ['flame', 'heavy'] as const;
  return [
    { name: 'trace', path, ready: hasDetail },
    ...forms.map((form) => ({ name: `trace-${form}`, path: `${path}&as=${form}`, ready: hasDetail })),
    ...TABS.map((tab) => ({ name: `trace-${tab}`, path: `${path}&tab=${tab}`, ready: hasOpenDetail })),
    { name: 'trace-error', path: `/${project}/trace/${traceId}?call=${calls.send}`, ready: hasDetail },
    { name: 'trace-source', path: `/${project}/trace/${traceId}?call=${calls.send}&tab=code`, ready: hasOpenDetail },
    ...mediaPages(project),
    { name: 'trace-find', path: `${path}&f=smtp`, ready: hasDetail },
    {
      name: 'trace-none',
      path: `/${project}/trace/none`,
      ready: (page) => page.getByText('No calls in this trace').waitFor(),
    },
  ];
}

/** A conversation with images and a sound, as it was said and as the value that it is. */
function mediaPages(project: string): readonly ShownPage[] {
  const path = `/${project}/trace/${MEDIA.traceId}?call=${MEDIA.call}`;
  return [
    { name: 'trace-media', path, ready: hasDetail },
    { name: 'trace-media-io', path: `${path}&tab=io`, ready: hasOpenDetail },
  ];
}

const COMPARE_FORMS = ['io', 'code', 'stats'] as const;

function comparePages(): readonly ShownPage[] {
  const path = `/${RUNS_PROJECT}/compare?a=${RUNS.after}`;
  return [
    { name: 'compare', path: `${path}&call=${CALLS_AFTER.chat}`, ready: isCompared },
    ...COMPARE_FORMS.map((form) => ({
      name: `compare-${form}`,
      path: `${path}&as=${form}&call=${CALLS_AFTER.plan}`,
      ready: isCompared,
    })),
    { name: 'compare-output', path: `${path}&call=${CALLS_AFTER.send}&only=1`, ready: isCompared },
    { name: 'compare-same', path: `/${RUNS_PROJECT}/compare?a=${RUNS.again}`, ready: isCompared },
    {
      name: 'compare-first',
      path: `/${RUNS_PROJECT}/compare?a=${RUNS.first}`,
      ready: (page) => page.getByText('There is no run before this one').waitFor(),
    },
    {
      name: 'compare-none',
      path: `/${RUNS_PROJECT}/compare?a=none&b=${RUNS.after}`,
      ready: (page) => page.getByText('A is not here').waitFor(),
    },
  ];
}

function otherPages(project: string, { threadId }: Story): readonly ShownPage[] {
  return [
    { name: 'runs', path: `/${project}/runs`, ready: (page) => page.getByText('nightly_report').first().waitFor() },
    { name: 'threads', path: `/${project}/threads`, ready: (page) => page.getByText(threadId).first().waitFor() },
    {
      name: 'thread',
      path: `/${project}/threads/${threadId}`,
      ready: (page) => page.getByText('kettle', { exact: false }).first().waitFor(),
    },
    { name: 'settings', path: '/settings', ready: (page) => page.getByRole('heading', { name: 'Settings' }).waitFor() },
    {
      name: 'empty',
      path: '/local/nothing-yet/calls',
      ready: (page) => page.getByText('listening', { exact: false }).first().waitFor(),
    },
    { name: 'login', path: '/', isLoggedIn: false, ready: (page) => page.getByLabel(/key/i).first().waitFor() },
  ];
}

export async function hasRows(page: Page): Promise<void> {
  await page.locator('[role=row][aria-rowindex="6"]').waitFor();
  await page.locator('footer').getByText(/calls/).first().waitFor();
}

/** Resolves when the selected call is there. On a phone it waits in a sheet. */
export async function hasDetail(page: Page): Promise<void> {
  const tabs = page.getByRole('tablist', { name: 'Call' });
  await tabs
    .or(page.getByRole('button', { name: /open/i }))
    .first()
    .waitFor();
  await page.waitForLoadState('networkidle');
}

/** Resolves when the selected call is seen: on a phone it is opened. */
export async function hasOpenDetail(page: Page): Promise<void> {
  await hasDetail(page);
  const open = page.getByRole('button', { name: 'Open', exact: true });
  if ((await open.count()) > 0) await open.click();
  await page.getByRole('tablist', { name: 'Call' }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Resolves when both sides are compared, and what is shown of them has come. */
export async function isCompared(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'What differs' }).waitFor();
  await page.locator('body:not(:has([aria-busy=true]))').waitFor();
}

/** Resolves when the panel says what is different, or that nothing is. */
export async function hasDifferences(page: Page): Promise<void> {
  await page.locator('[role=row][aria-rowindex="2"]').waitFor();
  await page.getByText(/traits? compared/).waitFor();
}

export async function pressAll(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
