import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReader } from 'spoor/reader';
import { startServiceProcess } from '../flow/service-process.ts';
import { hasBrowser, openBrowser, watchPage } from './browser.ts';
import { recordsOf, writeRecords } from '../../examples/seeds/plan.ts';
import { packedProgram } from './packed-program.ts';
import { seedStory, type Story } from './seed-story.ts';

const PROJECT = 'local/support-agent';
const HOSTILE = '</script><img src=x onerror="document.title=\'taken\'"><!--<script>';

describe.skipIf(!hasBrowser)('a trace in a file, in a browser without a network', () => {
  let home: string;
  let address: string;
  let story: Story;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'spoor-file-test-'));
    const service = await startServiceProcess(home, ['--storage', 'memory'], { program: packedProgram() });
    const reader = createReader({ url: service.url, apiKey: service.apiKey, project: PROJECT });
    story = await seedStory(reader, Date.now());
    const hostile = { op: HOSTILE, kind: 'tool', fromMs: 0, ms: 9, inputs: { [HOSTILE]: HOSTILE }, output: HOSTILE };
    const { traceId } = story;
    await writeRecords(
      reader,
      recordsOf({ ...hostile, id: 'hostile' }, Date.now() - 94_000, { traceId, parentId: story.calls.root }),
    );
    const path = join(home, 'trace.html');
    await writeFile(path, await (await reader.page.html(traceId)).text());
    address = pathToFileURL(path).href;
    // Whatever is shown from here on stands in the file.
    await service.stop();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(home, { recursive: true, force: true });
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, offline: true });
    faults = watchPage(context, address);
    page = await context.newPage();
    await page.goto(address);
    await page.getByRole('treegrid').getByRole('row').first().waitFor();
  });
  afterEach(async () => {
    await context.close();
    if (faults.length > 0) throw new Error(`The page ${faults.join('\n')}`);
  });

  const rowOf = (name: string) => page.getByRole('treegrid').getByRole('row').filter({ hasText: name });

  test('shows the tree, and the call that is chosen with its error, source and feedback', async () => {
    await rowOf('attempt 3').waitFor();
    await rowOf('send_email').click();
    await page.getByText('550 5.1.1 mailbox unavailable').first().waitFor();
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.getByText('renderTemplate').waitFor();
    await rowOf('claude-sonnet').click();
    await page.getByRole('tab', { name: /Feedback/ }).click();
    await page.getByText('Promised a mail before it was sent.').waitFor();
    // Nothing can be given to a file.
    expect(await page.getByRole('button', { name: 'Save note' }).count()).toBe(0);
  });

  test('says in its head how many tokens came from a cache', async () => {
    await expect.poll(() => page.locator('header').first().innerText()).toContain('tok (1,120 cached)');
  });

  test('shows the flame, by keys too, and a tool call leads to its call', async () => {
    await page.keyboard.press('2');
    await page.getByText('Ops in view').waitFor();
    await page.keyboard.press('1');
    await rowOf('claude-sonnet').click();
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByRole('link', { name: 'go to call' }).click();
    await page.getByRole('complementary').getByRole('heading', { name: 'send_email' }).waitFor();
    expect(await rowOf('send_email').getAttribute('aria-selected')).toBe('true');
  });

  test('what was recorded is text in it, and its policy lets nothing out', async () => {
    await rowOf('onerror').click();
    await page.getByText(HOSTILE).first().waitFor();
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('img').count()).toBe(0);
    const isSent = await page.evaluate("fetch('http://127.0.0.1:9/').then(() => true, () => false)");
    expect(isSent).toBe(false);
    // The browser says that it was refused; that is no fault of the page.
    expect(faults.every((fault) => /Content Security Policy|ERR_|127\.0\.0\.1:9/.test(fault))).toBe(true);
    faults = [];
  });
});
