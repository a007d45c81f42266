import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { holdRequests, spoilRequests } from './held-requests.ts';
import { STATES } from './seed-states.ts';
import { CALLS_AFTER, RUNS, RUNS_PROJECT } from './seed-runs.ts';
import type { Story } from './seed-story.ts';
import {
  hasDetail,
  hasDifferences,
  hasOpenDetail,
  hasRows,
  isCompared,
  pressAll,
  type ShownPage,
} from './shown-pages.ts';

/** Where {@link STATES} are. */
export const STATES_PROJECT = 'local/states';

/** What is opened on a page, what is waited for and what went wrong: pictures show it, other tests act on it. */
export function shownStates(project: string, story: Story): readonly ShownPage[] {
  return [
    ...menus(project),
    ...waits(project, story),
    ...traceStates(project, story),
    ...whyStates(project),
    ...compareStates(),
    ...threadStates(project, story),
  ];
}

/** Buttons of the list that open something, by the name of the picture. */
const BUTTONS = {
  range: /^Last 24 h/,
  columns: /^Columns/,
  views: /^Views/,
  project: /support-agent/,
} as const;

function menus(project: string): readonly ShownPage[] {
  const path = `/${project}/calls`;
  const opened = Object.entries(BUTTONS).map(([name, button]) => ({
    name: `calls-menu-${name}`,
    on: name === 'range' ? undefined : ('desk' as const),
    path,
    ready: async (page: Page) => (await hasRows(page), await press(page, button), await hasMenu(page)),
  }));
  const chosen = { export: 'e', copy: 'Y', feedback: 'c' };
  const keyed = Object.entries(chosen).map(([name, key]) => ({
    name: `calls-${name}`,
    path,
    ready: async (page: Page) => (
      await hasRows(page),
      await pressAll(page, 'j', 'x', 'j', 'x', key),
      await hasMenu(page)
    ),
  }));
  return [
    ...opened,
    ...keyed,
    {
      name: 'calls-deleted',
      path,
      // Other states show what is deleted here.
      before: (page) => holdRequests(page, '**/calls/delete'),
      ready: async (page) => (
        await hasRows(page),
        await pressAll(page, 'j', 'x', '#'),
        await page.getByText('Undo').waitFor()
      ),
    },
    {
      name: 'calls-request',
      on: 'desk',
      path: `${path}?q=status:error`,
      ready: async (page) => (await hasRows(page), await press(page, 'The filter as a request'), await hasMenu(page)),
    },
    {
      name: 'calls-wrong',
      path: `${path}?q=${encodeURIComponent('latency>fast (')}`,
      ready: (page) => page.getByText('This filter cannot be read').waitFor(),
    },
    {
      name: 'calls-long',
      path: `${path}?q=${encodeURIComponent('status:ok op:answer_ticket latency>2s "refund" -model:gpt-5-mini tokens>100 started:24h')}`,
      ready: async (page) => (await page.getByLabel('Filter').first().waitFor(), await isQuiet(page)),
    },
  ];
}

/** What a page asks for first. */
function asked({ traceId, threadId }: Story): Readonly<Record<string, readonly [path: string, request: string]>> {
  return {
    calls: ['/calls', '**/x/calls/rows'],
    trace: [`/trace/${traceId}`, '**/x/trace/skeleton'],
    runs: ['/runs', '**/x/runs/list'],
    threads: ['/threads', '**/threads/stream_query'],
    thread: [`/threads/${threadId}`, '**/x/calls/rows'],
  };
}

function waits(project: string, story: Story): readonly ShownPage[] {
  return Object.entries(asked(story)).flatMap(
    ([name, [path, request]]) =>
      [
        {
          name: `${name}-loading`,
          path: `/${project}${path}`,
          before: (page) => holdRequests(page, request),
          ready: (page) =>
            page
              .getByText(/Reading/)
              .first()
              .waitFor(),
        },
        {
          name: `${name}-failed`,
          path: `/${project}${path}`,
          before: (page) => spoilRequests(page, request),
          ready: (page) => page.getByRole('alert').first().waitFor(),
        },
        {
          name: `${name}-gone`,
          path: `/${project}${path}`,
          async ready(page) {
            await hasHead(page);
            await page.context().setOffline(true);
            await page.getByText(/Service gone/).waitFor();
          },
        },
      ] satisfies readonly ShownPage[],
  );
}

function traceStates(project: string, { traceId, calls }: Story): readonly ShownPage[] {
  const path = `/${project}/trace/${traceId}?call=${calls.chat}`;
  const states = (['running', 'neverEnded', 'partial', 'huge', 'cached'] as const).map((name) => ({
    name: `trace-${name}`,
    path: `/${STATES_PROJECT}/trace/${STATES[name]}`,
    ready: hasDetail,
  }));
  return [
    ...states,
    {
      name: 'trace-cut',
      path: `/${STATES_PROJECT}/trace/${STATES.partial}?call=partly-here&tab=io`,
      ready: hasOpenDetail,
    },
    {
      name: 'trace-menu',
      on: 'desk',
      path,
      ready: async (page) => (await hasDetail(page), await press(page, /^Copy as/), await hasMenu(page)),
    },
    {
      name: 'trace-keys',
      path,
      ready: async (page) => (
        await hasDetail(page),
        await pressAll(page, '?'),
        await page.getByRole('dialog').waitFor()
      ),
    },
    {
      name: 'trace-critical',
      on: 'desk',
      path,
      ready: async (page) => (
        await hasDetail(page),
        await press(page, 'Critical path'),
        await page.getByRole('button', { name: 'Critical path', pressed: true }).waitFor()
      ),
    },
    {
      name: 'trace-note',
      path,
      ready: async (page) => (
        await hasOpenDetail(page),
        await pressAll(page, 'c'),
        await page.getByLabel('Note').waitFor()
      ),
    },
    {
      name: 'trace-open',
      on: 'phone',
      path,
      ready: async (page) => (
        await hasDetail(page),
        await press(page, 'Open'),
        await page.getByRole('tablist', { name: 'Call' }).waitFor()
      ),
    },
    { name: 'trace-file', on: 'desk', path, ready: openFile },
    {
      name: 'trace-flame-error',
      path: `/${project}/trace/${traceId}?call=${calls.send}&as=flame&f=smtp`,
      ready: hasDetail,
    },
    { name: 'calls-states', path: `/${STATES_PROJECT}/calls?roots=0`, ready: hasRows },
  ];
}

function whyStates(project: string): readonly ShownPage[] {
  const path = `/${project}/calls`;
  const request = '**/x/calls/differences';
  return [
    {
      name: 'calls-why-selected',
      path,
      ready: async (page) => (
        await hasRows(page),
        await pressAll(page, 'j', 'j', 'x', 'j', 'x', 'j', 'x', 'w'),
        await hasDifferences(page)
      ),
    },
    {
      name: 'calls-why-asks',
      path: `${path}?why=1`,
      ready: async (page) => (await hasRows(page), await page.getByText(/^Write a filter/).waitFor()),
    },
    {
      name: 'calls-why-loading',
      path: `${path}?q=status:error&why=1`,
      before: (page) => holdRequests(page, request),
      ready: async (page) => (await hasRows(page), await page.getByText('Reading what is different').waitFor()),
    },
    {
      name: 'calls-why-failed',
      path: `${path}?q=status:error&why=1`,
      before: (page) => spoilRequests(page, request),
      ready: async (page) => (await hasRows(page), await page.getByText('Differences could not be read').waitFor()),
    },
  ];
}

function compareStates(): readonly ShownPage[] {
  const path = `/${RUNS_PROJECT}/compare?a=${RUNS.after}`;
  const request = '**/x/api/calls/stream_query';
  return [
    {
      name: 'compare-loading',
      path,
      before: (page) => holdRequests(page, request),
      ready: (page) => page.getByText('Reading both sides').waitFor(),
    },
    {
      name: 'compare-failed',
      path,
      before: (page) => spoilRequests(page, request),
      ready: (page) => page.getByRole('alert').first().waitFor(),
    },
    {
      name: 'compare-gone',
      path,
      async ready(page) {
        await isCompared(page);
        await page.context().setOffline(true);
        await page.getByText(/Service gone/).waitFor();
      },
    },
    {
      name: 'compare-choose',
      path,
      ready: async (page) => (
        await isCompared(page),
        await press(page, /^A ?\d/),
        await page.getByText('Runs of answer_ticket').waitFor(),
        await isQuiet(page)
      ),
    },
    {
      name: 'compare-open',
      on: 'phone',
      path: `${path}&call=${CALLS_AFTER.chat}`,
      ready: async (page) => (
        await isCompared(page),
        await press(page, 'Open'),
        await page.getByRole('region', { name: 'Selected pair' }).waitFor(),
        await isQuiet(page)
      ),
    },
  ];
}

/** Shows the trace as it was saved, from its file. */
async function openFile(page: Page): Promise<void> {
  await hasDetail(page);
  await press(page, /^Copy as/);
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as one HTML file' }).click();
  const folder = await mkdtemp(join(tmpdir(), 'spoor-picture-'));
  try {
    const path = join(folder, 'trace.html');
    await (await download).saveAs(path);
    await page.goto(pathToFileURL(path).href);
    await page.getByRole('treegrid').getByRole('row').first().waitFor();
  } finally {
    // The page has all of it by now.
    await rm(folder, { recursive: true });
  }
}

function threadStates(project: string, { threadId }: Story): readonly ShownPage[] {
  const path = `/${project}/threads/${threadId}`;
  return [
    {
      name: 'thread-turn',
      path,
      ready: async (page) => (await hasHead(page), await pressAll(page, ...'k'.repeat(12))),
    },
    {
      name: 'thread-find',
      // A phone shows the conversation, without the list of its turns.
      on: 'desk',
      path,
      ready: async (page) => (
        await hasHead(page),
        await pressAll(page, '/'),
        await page.keyboard.type('kettle'),
        await page.waitForURL(/[?&]f=kettle/)
      ),
    },
    {
      name: 'runs-none',
      path: `/${project}/runs?q=nobody`,
      ready: (page) => page.getByText('No run matches').waitFor(),
    },
    {
      name: 'runs-empty',
      path: '/local/nothing-yet/runs',
      ready: (page) => page.getByText('Each program that records calls').waitFor(),
    },
    {
      name: 'threads-none',
      path: `/${project}/threads?q=nobody`,
      ready: (page) => page.getByText('No thread matches').waitFor(),
    },
    {
      name: 'threads-empty',
      path: '/local/nothing-yet/threads',
      ready: (page) => page.getByText('withThread').waitFor(),
    },
    {
      name: 'thread-none',
      path: `/${project}/threads/none`,
      ready: (page) => page.getByText('This thread has no turns').waitFor(),
    },
  ];
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
}

async function hasMenu(page: Page): Promise<void> {
  await page.locator(':popover-open').first().waitFor();
}

async function hasHead(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading').first().waitFor({ state: 'attached' });
  await isQuiet(page);
}

/** All that was asked for is there. */
async function isQuiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
}
