import type { Page } from 'playwright-core';
import { createReader, type Reader } from 'spoor/reader';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeHome, runNode, type ServiceProcess, startServiceProcess } from '../../flow/service-process.ts';
import { hasBrowser } from '../browser.ts';
import { packedProgram } from '../packed-program.ts';
import { recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { windowsPerTest } from '../windows.ts';

const PROJECT = 'ours/shop';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe.skipIf(!hasBrowser)('a session', () => {
  let home: { readonly home: string; readonly remove: () => void };
  let service: ServiceProcess;
  let reader: Reader;

  beforeEach(async () => {
    home = makeHome();
    service = await start();
    reader = createReader({ ...service, project: PROJECT });
    await write(reader, 'of_ours');
  });
  afterEach(async () => {
    await service.stop();
    home.remove();
  });
  const windows = windowsPerTest();

  const start = async (...args: string[]) =>
    await startServiceProcess(home.home, ['--storage', 'memory', ...args], { program: packedProgram() });
  const keys = async (...args: string[]) => await runNode([packedProgram(), 'keys', ...args], { home: home.home });

  async function openCalls(mayBeSaid?: RegExp): Promise<Page> {
    const page = await windows.open({ origin: service.url, ...(mayBeSaid && { mayBeSaid }) });
    await followLink(page, (await reader.page.session.createToken()).token);
    await page.getByRole('grid').getByText('of_ours').first().waitFor();
    return page;
  }

  async function followLink(page: Page, token: string): Promise<void> {
    const fragment = new URLSearchParams({ token, to: `/${PROJECT}/calls` });
    await page.goto(`${service.url}/ui/login#${fragment.toString()}`);
  }

  /** As the user of a key that is made for an entity. */
  async function makeKey(entity: string): Promise<{ readonly id: string; readonly key: string }> {
    const { stdout } = await keys('create', entity, '--entities', entity, '--json');
    return JSON.parse(stdout) as { id: string; key: string };
  }

  test('ends with a logout, by keys too, in all windows, and goes on where one was', async () => {
    const page = await openCalls();
    const other = await windows.openBeside(page);
    await other.goto(`${service.url}/ui/${PROJECT}/threads`);
    await other.getByRole('heading', { name: 'Threads' }).waitFor();
    await page.goto(`${service.url}/ui/${PROJECT}/calls?roots=0`);
    await page.getByRole('grid').getByText('of_ours').first().waitFor();
    await page.getByRole('navigation').getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByRole('menuitem', { name: 'Log out' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await asksForKey(page);
    await asksForKey(other);
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await asksForKey(page);
    // The field has the focus.
    await page.keyboard.type(service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('grid').getByText('of_ours').first().waitFor();
    expect(page.url()).toContain('/calls?roots=0');
  });

  test('ends when its key is revoked, says so, and shows nothing of it to the next one', async () => {
    const { id, key } = await makeKey('ours');
    const { key: theirs } = await makeKey('theirs');
    const page = await windows.open({ origin: service.url, mayBeSaid: /\b40[13]\b/ });
    await page.goto(`${service.url}/ui/${PROJECT}/calls`);
    await logIn(page, key);
    await page.getByRole('grid').getByText('of_ours').first().waitFor();
    await keys('revoke', id);
    await asksForKey(page);
    await page.getByText(/its key was revoked/).waitFor();
    await logIn(page, key);
    await page.getByText('does not know this key').waitFor();
    await logIn(page, theirs);
    await page.getByText('Calls could not be read').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('of_ours');
  });

  test('is that of the key which was entered last, in all windows', async () => {
    const { key: theirs } = await makeKey('theirs');
    const page = await openCalls(/\b40[13]\b/);
    const other = await windows.openBeside(page);
    await other.goto(`${service.url}/ui/settings`);
    await other.getByText('all entities').waitFor();
    await other.evaluate(`fetch('/x/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-spoor-page': '1' },
      body: JSON.stringify({ api_key: '${theirs}' }),
    })`);
    await other.getByText('theirs', { exact: true }).first().waitFor();
    await page.getByText('Calls could not be read').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('of_ours');
  });

  test('is not had by a link that was used: that is said', async () => {
    const { token } = await reader.page.session.createToken();
    const first = await windows.open({ origin: service.url });
    await followLink(first, token);
    await first.getByRole('grid').getByText('of_ours').first().waitFor();
    const second = await windows.open({ origin: service.url });
    await followLink(second, token);
    await asksForKey(second);
    await second.getByText(/the link was used already/).waitFor();
    // As one does who has the key in the clipboard, with the mouse alone.
    await second.getByLabel('Key').fill(service.apiKey);
    await second.getByRole('button', { name: 'Log in' }).click();
    await second.getByRole('grid').getByText('of_ours').first().waitFor();
    expect(second.url()).toBe(`${service.url}/ui/${PROJECT}/calls`);
  });

  test.each([
    ['calls', '/calls', 'of_ours'],
    ['trace', '/trace/trace-of_ours', 'of_ours'],
    ['threads', '/threads', 'thread-of_ours'],
    ['thread', '/threads/thread-of_ours', 'Is it there?'],
  ])('ends with the service: the page of %s asks for a key and goes on', async (_name, path, shown) => {
    // Who asks last hears 503 of a service that stops, or nothing.
    const page = await openCalls(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|503/,
    );
    await page.goto(`${service.url}/ui/${PROJECT}${path}`);
    await page.locator('#main, main').getByText(shown).first().waitFor();
    await service.stop();
    await page.getByText(/Service gone since/).waitFor();
    await page.locator('#main, main').getByText(shown).first().waitFor();
    service = await start('--port', new URL(service.url).port);
    reader = createReader({ ...service, project: PROJECT });
    await asksForKey(page);
    await page.getByText(/the service was started again/).waitFor();
    await write(reader, 'of_ours');
    await logIn(page, service.apiKey);
    await page.locator('#main, main').getByText(shown).first().waitFor();
    expect(page.url()).toBe(`${service.url}/ui/${PROJECT}${path}`);
  });

  test('that is asked for long is no blank page', async () => {
    const page = await windows.open({ origin: service.url });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/x/session', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${service.url}/ui/${PROJECT}/calls`);
    await page.getByText('Reading your session').waitFor();
    release();
    await asksForKey(page);
    expect(await page.getByText('Reading your session').count()).toBe(0);
  });
});

async function asksForKey(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Open spoor' }).waitFor();
  await page.getByLabel('Key').waitFor();
}

async function logIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Key').fill(key);
  await page.keyboard.press('Enter');
}

async function write(reader: Reader, op: string): Promise<void> {
  const plan = { id: op, op, kind: 'agent', fromMs: 0, ms: 20, inputs: { question: 'Is it there?' }, output: 'Yes.' };
  await writeRecords(reader, recordsOf(plan, Date.now(), { traceId: `trace-${op}`, threadId: `thread-${op}` }));
}
