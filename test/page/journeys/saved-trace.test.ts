import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PROJECT, startProgram } from '../../flow/program.ts';
import { runNode } from '../../flow/service-process.ts';
import { hasBrowser } from '../browser.ts';
import { pressAt, takeItem } from '../by-keys.ts';
import { packedProgram } from '../packed-program.ts';
import { servedPages } from '../served-pages.ts';

const SECRETS = ['kettles-are-mine-77', 'sk-proj-Zk29vQ0aLm4TtXb7Yw1RcE5n'];

/** Asks a model with keys and passwords in all places where they come. */
const PROGRAM = `
const chat = traced(async function chat(request) {
  return { choices: [{ message: { role: 'assistant', content: 'It has **left** the warehouse.' } }] };
}, { kind: 'llm' });
await traced(async function answer(question, options) {
  console.log(spoor.current().traceId);
  return await chat({ model: 'gpt-5-mini', messages: [{ role: 'user', content: question }], apiKey: options.token });
})('Where is my parcel?', { password: ${JSON.stringify(SECRETS[0])}, token: ${JSON.stringify(SECRETS[1])} });
await flush();
`;

describe.skipIf(!hasBrowser)('a trace that is saved', () => {
  const pages = servedPages({ project: PROJECT, seed: async () => undefined, args: ['--storage', 'memory'] });

  test('is the same by the mouse, by keys and by the command, holds no secret, and is read without a network', async () => {
    const program = startProgram(pages.home, PROGRAM);
    const traceId = await program.line();
    expect((await program.ended).code).toBe(0);
    const page = await pages.openAt(`/trace/${traceId}`);
    await page.getByRole('treegrid').getByRole('row').nth(1).waitFor();
    const byMouse = await savedBy(MOUSE, page);
    const byKeys = await savedBy(KEYS, page);
    const path = join(pages.home, 'saved.html');
    const { stdout } = await runNode([packedProgram(), 'show', traceId, '--html', path, '--project', PROJECT], {
      home: pages.home,
    });
    expect(stdout.trim()).toBe(path);
    const byCommand = await readFile(path, 'utf8');
    expect(withoutTime(byMouse)).toBe(withoutTime(byCommand));
    expect(withoutTime(byKeys)).toBe(withoutTime(byCommand));
    expect(SECRETS.filter((secret) => byCommand.includes(secret))).toEqual([]);
    expect(byCommand).toContain('[masked]');
    await readOffline(path);
  });

  async function readOffline(path: string): Promise<void> {
    const address = pathToFileURL(path).href;
    const page = await pages.windows.open({ origin: address });
    const asked: string[] = [];
    await page.context().route('**', async (route) => {
      asked.push(route.request().url());
      await (route.request().url() === address ? route.continue() : route.abort());
    });
    await page.goto(address);
    await page.getByRole('treegrid').getByRole('row').filter({ hasText: 'chat' }).click();
    await page.getByRole('tab', { name: 'Chat' }).click();
    await page.getByRole('tabpanel').locator('strong', { hasText: 'left' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    for (const key of ['2', '3', '1']) await page.keyboard.press(key);
    for (const name of ['Code', 'Attributes', 'Feedback', 'Raw'])
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    expect(asked).toEqual([address]);
  }
});

interface Hand {
  readonly press: (page: Page, button: Locator) => Promise<void>;
  readonly take: (page: Page, item: Locator) => Promise<void>;
}

const MOUSE: Hand = { press: (_page, button) => button.click(), take: (_page, item) => item.click() };
const KEYS: Hand = { press: pressAt, take: takeItem };

async function savedBy({ press, take }: Hand, page: Page): Promise<string> {
  await press(page, page.getByRole('button', { name: 'Copy as…' }));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    take(page, page.getByRole('menuitem', { name: 'Save as one HTML file' })),
  ]);
  expect(download.suggestedFilename()).toMatch(/^trace-.*\.html$/);
  return await readFile(await download.path(), 'utf8');
}

/** When each was saved is in it. */
function withoutTime(html: string): string {
  return html.replace(/"exported_at":\s*"[^"]*"/, '');
}
