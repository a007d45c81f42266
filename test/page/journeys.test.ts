import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { createReader, type Reader } from 'spoor/reader';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeHome, type ServiceProcess, startServiceProcess } from '../flow/service-process.ts';
import { hasBrowser } from './browser.ts';
import { pressAt, stepTo, takeItem } from './by-keys.ts';
import { packedProgram } from './packed-program.ts';
import { windowsPerTest } from './windows.ts';

const PROJECT = 'local/shop';
const ERROR = 'SMTPError: 550 mailbox unavailable\n    at send_email (/srv/shop/tools.ts:94:11)';
/** More than a screen of them. */
const MANY = 80;

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

/** The same way through the page, with the one hand or with the other. */
interface Hand {
  readonly name: string;
  /** Chooses the first row with this text, and opens what it leads to. */
  readonly openTrace: (page: Page, text: string) => Promise<void>;
  readonly chooseError: (page: Page) => Promise<void>;
  readonly select: (page: Page, row: number) => Promise<void>;
  readonly remove: (page: Page) => Promise<void>;
  readonly undo: (page: Page) => Promise<void>;
  readonly exportAll: (page: Page) => Promise<void>;
  readonly scrollDown: (page: Page) => Promise<void>;
  readonly showNew: (page: Page) => Promise<void>;
  readonly sendSample: (page: Page) => Promise<void>;
  readonly reconnect: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const exportItem = (page: Page) => page.getByRole('menuitem', { name: /^All .* as JSONL$/ });

const MOUSE: Hand = {
  name: 'by mouse',
  async openTrace(page, text) {
    await rowWith(page, text).click();
    await page
      .getByRole('link', { name: /Open trace/ })
      .or(button(page, /Open trace/))
      .click();
  },
  chooseError: (page) => page.getByRole('treegrid').getByRole('row').filter({ hasText: 'send_email' }).click(),
  select: (page, row) => rowAt(page, row).getByRole('checkbox').click(),
  remove: (page) => button(page, /^Delete/).click(),
  undo: (page) => button(page, /Undo/).click(),
  async exportAll(page) {
    await button(page, /^Export/).click();
    await exportItem(page).click();
  },
  async scrollDown(page) {
    await rowAt(page, 5).hover();
    await page.mouse.wheel(0, 1000);
  },
  showNew: (page) => page.getByText(/^\d+ new/).click(),
  sendSample: (page) => button(page, 'Send a sample trace').click(),
  reconnect: (page) => button(page, 'Reconnect').click(),
};

const KEYS: Hand = {
  name: 'by keys',
  async openTrace(page, text) {
    await stepTo(page, rowWith(page, text));
    await page.keyboard.press('ControlOrMeta+Enter');
  },
  chooseError: async (page) => await page.keyboard.press('n'),
  async select(page, row) {
    await stepTo(page, rowAt(page, row));
    await page.keyboard.press('x');
  },
  remove: (page) => page.keyboard.press('#'),
  undo: (page) => pressAt(page, button(page, /Undo/)),
  async exportAll(page) {
    await page.keyboard.press('e');
    await page.getByRole('menu').waitFor();
    await takeItem(page, exportItem(page));
  },
  async scrollDown(page) {
    await stepTo(page, rowAt(page, 4));
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('PageDown');
  },
  showNew: (page) => pressAt(page, button(page, /\d+ new/)),
  sendSample: (page) => pressAt(page, button(page, 'Send a sample trace')),
  reconnect: (page) => pressAt(page, button(page, 'Reconnect')),
};

describe.skipIf(!hasBrowser).each([MOUSE, KEYS])('$name', (hand) => {
  let home: { readonly home: string; readonly remove: () => void };
  let service: ServiceProcess;
  let reader: Reader;

  beforeEach(async () => {
    home = makeHome();
    service = await startServiceProcess(home.home, [], { program: packedProgram() });
    reader = createReader({ ...service, project: PROJECT });
  });
  afterEach(async () => {
    await service.stop();
    home.remove();
  });
  const windows = windowsPerTest();

  async function openCalls(mayBeSaid?: RegExp): Promise<Page> {
    const page = await windows.open({ origin: service.url, ...(mayBeSaid && { mayBeSaid }) });
    await logIn(page, service.url, reader);
    return page;
  }

  test('a first trace comes from the empty page', async () => {
    const page = await openCalls();
    await page.getByText('Listening on').waitFor();
    await hand.sendSample(page);
    await rowAt(page, 2).waitFor();
    expect(await page.getByText('Listening on').count()).toBe(0);
  });

  test('an error is found, and its line read', async () => {
    await writeTrace(reader, { question: 'fails' });
    const page = await openCalls();
    await hand.openTrace(page, 'fails');
    await page.waitForURL(/\/trace\//);
    await page.getByRole('treegrid').getByRole('row').first().waitFor();
    await hand.chooseError(page);
    await selectedMail(page).waitFor();
    const detail = page.getByRole('complementary');
    await expect.poll(() => detail.innerText()).toContain('550 mailbox unavailable');
    await detail.getByText('tools.ts:94').first().waitFor();
  });

  test('new calls wait while one reads further down, and move nothing', async () => {
    for (let index = 0; index < MANY; index++) await writeCall(reader, `call ${index}`);
    const page = await openCalls();
    await rowAt(page, 2).waitFor();
    await hand.scrollDown(page);
    await rowAt(page, 45).waitFor();
    const read = await rowAt(page, 45).innerText();
    await writeCall(reader, 'came late');
    await page.getByText(/1 new/).first().waitFor();
    expect(await rowAt(page, 45).innerText()).toBe(read);
    await hand.showNew(page);
    await page.getByText('came late').waitFor();
  });

  test('what is deleted comes back by Undo', async () => {
    for (let index = 0; index < 3; index++) await writeCall(reader, `call ${index}`);
    const page = await openCalls();
    await hand.select(page, 3);
    await hand.remove(page);
    await page.getByText('call 1').waitFor({ state: 'detached' });
    await hand.undo(page);
    await page.getByText('call 1').waitFor();
    expect(await page.getByRole('grid').getByRole('row').count()).toBe(4);
  });

  test('the whole filtered set is exported', async () => {
    for (let index = 0; index < 5; index++) await writeCall(reader, `call ${index}`);
    const page = await openCalls();
    await hand.select(page, 3);
    // Longer than each step of the hand: of two that wait, the one that is wrong says so.
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 150_000 }),
      hand.exportAll(page).then(() => page.getByText('Exported', { exact: true }).waitFor()),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toHaveLength(5);
  });

  test('a reload keeps what is chosen', async () => {
    await writeTrace(reader, { question: 'fails' });
    const page = await openCalls();
    await hand.openTrace(page, 'fails');
    await page.getByRole('treegrid').getByRole('row').first().waitFor();
    await hand.chooseError(page);
    await page.waitForURL(/call=/);
    const chosen = page.url();
    await page.reload();
    await page.getByText('tools.ts:94').first().waitFor();
    expect(page.url()).toBe(chosen);
    await selectedMail(page).waitFor();
  });

  test('a service that is killed leaves what is shown, and goes on when it is back', async () => {
    await writeCall(reader, 'before it died');
    const page = await openCalls(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED/,
    );
    await page.getByText('before it died').waitFor();
    await service.stop('SIGKILL');
    await page.getByText(/Service gone since/).waitFor();
    expect(await page.getByText('before it died').count()).toBe(1);
    await hand.reconnect(page);
    expect(await page.getByText(/Service gone since/).count()).toBe(1);
    // From here on the page finds it by itself, at any moment.
    service = await startServiceProcess(home.home, ['--port', new URL(service.url).port], {
      program: packedProgram(),
    });
    // Sessions end with the service: the key is asked for, and leads back to the list.
    await page.getByLabel('Key').fill(service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('before it died').waitFor();
    await writeCall(reader, 'after it came back');
    await page.getByText('after it came back').waitFor();
  });
});

const rowAt = (page: Page, index: number) => page.locator(`[role=row][aria-rowindex="${index}"]`);
const selectedMail = (page: Page) =>
  page.getByRole('treegrid').getByRole('row', { selected: true }).filter({ hasText: 'send_email' });
const rowWith = (page: Page, text: string) => page.getByRole('grid').getByRole('row').filter({ hasText: text }).first();

async function logIn(page: Page, url: string, reader: Reader): Promise<void> {
  const { token } = await reader.page.session.createToken();
  await page.goto(`${url}/ui/login#token=${token}`);
  await page.waitForURL(({ pathname }) => !pathname.endsWith('/login'));
}

async function writeCall(reader: Reader, question: string): Promise<void> {
  await writeTrace(reader, { question, isGood: true });
}

let written = 0;

/** A trace whose mail cannot be sent, or one call that ended well. */
async function writeTrace(
  reader: Reader,
  { question, isGood = false }: { readonly question: string; readonly isGood?: boolean },
): Promise<void> {
  const id = `call-${written++}`;
  const start = (name: string, op_name: string, parent_id: string | null, inputs: Record<string, unknown>) => ({
    mode: 'start' as const,
    req: { start: { id: name, op_name, trace_id: id, parent_id, started_at: new Date().toISOString(), inputs } },
  });
  const end = (name: string, exception: string | null) => ({
    mode: 'end' as const,
    req: { end: { id: name, ended_at: new Date().toISOString(), output: null, exception, summary: {} } },
  });
  const failed = [start(`${id}-mail`, 'send_email', id, { to: 'a@b' }), end(`${id}-mail`, ERROR)];
  const root = [start(id, 'answer', null, { question }), end(id, isGood ? null : ERROR)];
  await reader.calls.write(isGood ? root : [...root, ...failed]);
}
