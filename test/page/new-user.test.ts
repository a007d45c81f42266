import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { createReader } from 'spoor/reader';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { installTarball } from '../flow/package-copy.ts';
import { environmentOf, ROOT, runNode } from '../flow/service-process.ts';
import { hasBrowser } from './browser.ts';
import { goTo, pressAt, stepTo } from './by-keys.ts';
import { windowsPerTest } from './windows.ts';

/** Where pictures of each step are put, and how long the first trace took from its end to the screen. */
const PICTURES = process.env['JOURNEY_PICTURES'];
const CLI = join(ROOT, 'dist', 'cli', 'main.js');
const TSX = join(ROOT, 'node_modules', 'tsx', 'dist', 'loader.mjs');

/** From an answer to the next question; a machine that has other work takes its time for what lies between these. */
const PAUSE_MS = 1000;

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

describe.skipIf(!hasBrowser)('who has never used it', () => {
  const windows = windowsPerTest();
  let folder: string;
  let home: string;
  let stop: () => Promise<void>;
  let link: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'spoor-new-user-'));
    home = join(folder, '.state');
    writeFileSync(join(folder, 'package.json'), '{ "name": "first-steps", "type": "module" }');
    installTarball(folder);
    ({ link, stop } = await startByNpx(folder, home));
  });
  afterAll(async () => {
    await stop?.();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('sees the program of the README without a reload, finds its error and reads its line', async () => {
    const service = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')) as { url: string; apiKey: string };
    const page = await windows.open({ origin: service.url });
    await page.goto(link);
    for (const way of ['TypeScript', 'OpenTelemetry', 'curl']) {
      await page.getByRole('tab', { name: way }).click();
      await picture(page, `1-empty-${way.toLowerCase()}`);
    }
    await page.evaluate('globalThis.isLoadedOnce = true');

    // Whatever the machine has to do, an empty page asks several times a second.
    await expect
      .poll(async () => (await pausesOf(page)).filter((ms) => ms > 0 && ms < PAUSE_MS).length)
      .toBeGreaterThan(2);
    const seen = whenSeen(page, 'a spoor');
    const source = programOfReadme();
    await run(source);
    const seenAt = await seen;
    const row = page.getByRole('grid').getByRole('row');
    await row.filter({ hasText: 'a spoor' }).waitFor();
    await picture(page, '2-first-trace');
    const reader = createReader({ ...service, project: 'local/first-steps' });
    const roots = reader.calls.query({ filter: { trace_roots_only: true } });
    for await (const { ended_at: endedAt } of roots) {
      noteTime('firstTraceMs', seenAt - Date.parse(endedAt ?? ''));
    }

    const broken = source.replace(/return `You asked.*/, "throw new Error('No model answers');");
    await run(broken);
    await row.filter({ hasText: 'Error' }).first().click();
    await page.getByRole('complementary').getByText('No model answers').first().waitFor();
    await picture(page, '3-error-in-peek');
    await page
      .getByRole('link', { name: /Open trace/ })
      .or(page.getByRole('button', { name: /Open trace/ }))
      .click();
    await page.getByRole('treegrid').getByRole('row').filter({ hasText: 'ask' }).click();
    const line = broken.split('\n').findIndex((text) => text.includes('No model answers')) + 1;
    await page.getByText(`program.ts:${line}`).first().waitFor();
    await picture(page, '4-error-in-trace');
    await page.getByRole('tab', { name: 'Code' }).click();
    await page.locator('code', { hasText: 'No model answers' }).waitFor();
    await picture(page, '5-line-in-source');
    expect(await page.evaluate('globalThis.isLoadedOnce')).toBe(true);
  });

  test('by keys alone sends a call by the lines for curl, as they are copied, and reads it', async () => {
    const { url } = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')) as { url: string };
    const page = await windows.open({ origin: url });
    const opened = await runNode([CLI, 'open', '--print'], { home, cwd: folder });
    await page.goto(opened.stdout.trim());
    await page.waitForURL(({ pathname }) => !pathname.endsWith('/login'));
    await page.goto(`${url}/ui/local/by-curl/calls`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pressAt(page, page.getByRole('tab', { name: 'curl' }));
    const steps = (await page.locator('pre').allInnerTexts()).filter((step) => /^(?:export|curl) /.test(step));
    for (const [index, step] of steps.entries()) {
      await pressAt(page, page.getByRole('button', { name: `Copy step ${index + 1}` }));
      await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(step);
    }
    const { stdout } = await promisify(execFile)('sh', ['-c', steps.join('\n')], { env: environmentOf(home) });
    const { id } = JSON.parse(stdout) as { readonly id: string };
    await stepTo(page, page.getByRole('grid').getByRole('row').filter({ hasText: 'Where is my parcel?' }));
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.waitForURL(/\/trace\//);
    await page.getByRole('treegrid').getByRole('row').filter({ hasText: 'answer' }).waitFor();
    await goTo(page, page.getByRole('tab', { selected: true }), 'Tab');
    await goTo(page, page.getByRole('tab', { name: 'Raw' }), 'ArrowRight');
    await page.getByRole('tabpanel').getByText(id).first().waitFor();
  });

  async function run(source: string): Promise<void> {
    writeFileSync(join(folder, 'program.ts'), source);
    const flags = ['--import', TSX, 'program.ts'];
    await runNode(flags, { home, cwd: folder });
  }
});

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** How long the page waited each time from the answer whether there is a project until it asked again, in ms. */
async function pausesOf(page: Page): Promise<readonly number[]> {
  return await page.evaluate<number[]>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('/x/projects'))
    .map(({ startTime }, index, asked) => startTime - (asked[index - 1]?.responseEnd ?? startTime))`);
}

function noteTime(name: string, ms: number): void {
  if (PICTURES !== undefined) writeFileSync(join(PICTURES, 'times.json'), JSON.stringify({ [name]: ms }));
}

/** When a row with this text was drawn, by the clock of this machine. */
async function whenSeen(page: Page, text: string): Promise<number> {
  return await page.evaluate(`new Promise((seen) => {
    const look = () => [...document.querySelectorAll('[role=grid] [role=row]')].some((row) => row.innerText.includes('${text}'));
    const observer = new MutationObserver(() => look() && (observer.disconnect(), seen(Date.now())));
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  })`);
}

/** The program under "Ten lines", as it stands there. */
function programOfReadme(): string {
  const [, after = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('## Ten lines');
  return /```ts\n(.*?)```/s.exec(after)?.[1] ?? '';
}

/** Starts the service as a new user does, on any port; resolves with the link that it prints. */
async function startByNpx(cwd: string, home: string): Promise<{ link: string; stop: () => Promise<void> }> {
  const env = { ...environmentOf(home), SPOOR_PORT: '0', npm_config_offline: 'true' };
  const child = spawn('npx', ['spoor'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const link = /see what was recorded: (\S+)/.exec(line)?.[1];
    if (link !== undefined) return { link, stop: () => stopped(home, exited) };
  }
  throw new Error('The service ended before it said where its page is');
}

/** A signal to npx would not reach what it has started. */
async function stopped(home: string, exited: Promise<unknown>): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')) as { pid: number };
  process.kill(pid);
  await exited;
}
