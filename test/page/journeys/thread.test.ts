import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import type { Reader } from 'spoor/reader';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { pressAt } from '../by-keys.ts';
import { type Plan, recordsOf, writeRecords } from '../../../examples/seeds/plan.ts';
import { servedPages } from '../served-pages.ts';

const PROJECT = 'local/threads';
const THREAD = 'order 48211/kettle';
const QUIET = 'nothing failed';
const AT = `/threads/${encodeURIComponent(THREAD)}`;
const TURNS = 40;
/** Counted from 1. */
const FAILED = [7, 23];
const MINUTE_MS = 60_000;

describe.skipIf(!hasBrowser)('a conversation', () => {
  const pages = servedPages({ project: PROJECT, seed, args: ['--storage', 'memory'] });

  test('opens at its newest turn, with what was said, its numbers and its calls', async () => {
    const page = await pages.openAt(AT);
    await expect.poll(() => turnOf(page)).toBe(TURNS);
    const said = page.getByRole('log');
    await said.getByText(`Question ${TURNS}`, { exact: true }).waitFor();
    await said.getByText(`Answer ${TURNS}`, { exact: true }).waitFor();
    const facts = factsOf(page);
    await facts.getByText('2.00 s').waitFor();
    await facts.getByRole('link', { name: /chat/ }).waitFor();
    const tools = said.getByRole('region', { name: 'Tool calls' });
    await tools.getByText('1 tool call').waitFor();
    await tools.getByText('parcel box 17').waitFor();
    await tools.getByRole('link', { name: 'get_shipment' }).waitFor();
    // However late what tools did came, the end of the answer is in sight.
    const answer = said.getByText(`Answer ${TURNS}`, { exact: true });
    const bottomOf = async (place: Locator) => {
      const box = await place.boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    await expect.poll(async () => (await bottomOf(answer)) <= (await bottomOf(said))).toBe(true);
    await page.locator('header').getByText(`${TURNS} turns`).waitFor();
    await page.locator('header').getByText('2 errors').waitFor();
  });

  test('is gone through by keys: turn by turn, from error to error, and back to the list', async () => {
    const page = await pages.openAt('/threads');
    await page.getByRole('link', { name: THREAD }).click();
    await expect.poll(() => turnOf(page)).toBe(TURNS);
    await page.keyboard.press('k');
    await expect.poll(() => turnOf(page)).toBe(TURNS - 1);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => turnOf(page)).toBe(TURNS);
    for (const failed of [...FAILED, FAILED[0] ?? 0]) {
      await page.keyboard.press('n');
      await expect.poll(() => turnOf(page)).toBe(failed);
      await page.getByRole('log').getByText('429 Too Many Requests').first().waitFor();
    }
    await page.getByRole('listbox', { name: 'Turns' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => turnOf(page)).toBe((FAILED[0] ?? 0) + 1);
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/threads$/);
    await page.getByRole('link', { name: THREAD }).waitFor();
  });

  test('keeps the turn that is looked at through a reload', async () => {
    const page = await pages.openAt(AT);
    await expect.poll(() => turnOf(page)).toBe(TURNS);
    await page.getByRole('button', { name: 'Previous turn' }).click();
    await expect.poll(() => turnOf(page)).toBe(TURNS - 1);
    await page.reload();
    await expect.poll(() => turnOf(page)).toBe(TURNS - 1);
  });

  test('stays where it is when no turn failed', async () => {
    const page = await pages.openAt(`/threads/${encodeURIComponent(QUIET)}`);
    await expect.poll(() => turnOf(page)).toBe(3);
    await page.keyboard.press('n');
    await page.keyboard.press('k');
    await expect.poll(() => turnOf(page)).toBe(2);
  });

  test('is looked through for words: each key goes on to the next turn that holds them, and the address keeps them', async () => {
    const page = await pages.openAt(AT);
    await expect.poll(() => turnOf(page)).toBe(TURNS);
    await page.keyboard.press('/');
    await page.keyboard.type('question 1');
    const field = page.getByRole('textbox', { name: /^Find in turns/ });
    await page.getByRole('status').getByText('11', { exact: true }).waitFor();
    for (const found of [1, 10, 11]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => turnOf(page)).toBe(found);
    }
    await page.keyboard.press('Shift+Enter');
    await expect.poll(() => turnOf(page)).toBe(10);
    await page.getByRole('status').getByText('2 of 11', { exact: true }).waitFor();
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('question 1');
    await field.press('Escape');
    await expect.poll(() => new URL(page.url()).searchParams.has('f')).toBe(false);
  });

  test('is gone through by the mouse: from the list of turns, the strip and what was said, to the trace and back', async () => {
    const page = await pages.openAt(AT);
    const list = page.getByRole('listbox', { name: 'Turns' });
    await list.getByRole('option').filter({ hasText: 'Question 38' }).click();
    await expect.poll(() => turnOf(page)).toBe(38);
    await page.getByTitle(/^turn 12: /).click();
    await expect.poll(() => turnOf(page)).toBe(12);
    await page.getByRole('log').getByText('Question 12', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next error' }).click();
    await expect.poll(() => turnOf(page)).toBe(FAILED[1]);
    await page.getByTitle(/^turn 12: /).click();
    await expect.poll(() => turnOf(page)).toBe(12);
    await page.locator('[data-turn="13"] b').first().click();
    await expect.poll(() => turnOf(page)).toBe(14);
    await factsOf(page).getByRole('link', { name: 'Open trace' }).click();
    await page.waitForURL(/\/trace\/turn-14\?call=/);
    await page.getByRole('treegrid').getByRole('row', { selected: true }).filter({ hasText: 'answer_turn' }).waitFor();
    await page.goBack();
    await expect.poll(() => turnOf(page)).toBe(14);
    await factsOf(page).getByRole('link', { name: /chat/ }).click();
    await page.getByRole('treegrid').getByRole('row', { selected: true }).filter({ hasText: 'chat' }).waitFor();
  });

  test('goes on while one looks: a turn runs, ends, and another one does not take away what is read', async () => {
    const page = await pages.openAt('/threads/goes-on');
    await page.getByText('This thread has no turns here').waitFor();
    const first = { ...turn(1), id: 'goes-on-1' };
    await writeTurn(pages.reader, 'goes-on', { ...first, isOpen: true });
    await expect.poll(() => turnOf(page)).toBe(1);
    await page.locator('header').getByText('turn 1 running').waitFor();
    await writeTurn(pages.reader, 'goes-on', first);
    await page.locator('header').getByText('turn 1 running').waitFor({ state: 'detached' });
    await page.getByRole('log').getByText('Answer 1', { exact: true }).waitFor();
    // Who has chosen no turn sees the newest.
    await writeTurn(pages.reader, 'goes-on', turn(2));
    await expect.poll(() => turnOf(page)).toBe(2);
    await page.keyboard.press('k');
    await expect.poll(() => turnOf(page)).toBe(1);
    await writeTurn(pages.reader, 'goes-on', turn(3));
    await page.locator('header').getByText('3 turns').waitFor();
    await expect.poll(() => turnOf(page)).toBe(1);
  });

  test('keeps the turn that a note is written on, and the note, when a newer one comes', async () => {
    for (const number of [1, 2]) await writeTurn(pages.reader, 'noted', turn(number));
    const page = await pages.openAt('/threads/noted');
    await expect.poll(() => turnOf(page)).toBe(2);
    await page.keyboard.press('c');
    await page.getByLabel('Note').fill('Too sho');
    await writeTurn(pages.reader, 'noted', turn(3));
    await page.locator('header').getByText('3 turns').waitFor();
    await page.keyboard.type('rt+');
    expect(await page.getByLabel('Note').inputValue()).toBe('Too short+');
    expect(await turnOf(page)).toBe(2);
  });

  test('stays where one reads further up when a newer turn comes', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 8, 9]) await writeTurn(pages.reader, 'read', turn(number));
    const page = await pages.openAt('/threads/read');
    await expect.poll(() => turnOf(page)).toBe(8);
    const said = page.getByRole('log');
    await said.getByText('Answer 9', { exact: true }).waitFor();
    await said.hover();
    await page.mouse.wheel(0, -400);
    await page.waitForURL(/[?&]turn=/);
    await writeTurn(pages.reader, 'read', turn(10));
    await page.locator('header').getByText('9 turns').waitFor();
    expect(await turnOf(page)).toBe(8);
  });

  describe('in the list of all', () => {
    test('is there without a reload once it begins, on top, and counts its turns', async () => {
      const page = await pages.openAt('/threads');
      await page.getByRole('link', { name: THREAD }).waitFor();
      await writeTurn(pages.reader, 'begins now', { ...turn(1), inputs: { question: 'Is anybody there?' } });
      const lines = page.getByRole('row').filter({ has: page.getByRole('link') });
      await lines.first().filter({ hasText: 'begins now' }).filter({ hasText: 'Is anybody there?' }).waitFor();
      expect(await countOf(lines.first())).toBe(1);
      await writeTurn(pages.reader, 'begins now', turn(2));
      await expect.poll(() => countOf(lines.first())).toBe(2);
    });

    test('is there without a reload when it is the first of its project', async () => {
      const page = await pages.openAt('/threads');
      await page.goto(`${pages.service.url}/ui/local/silent/threads`);
      await page.getByText('withThread(id, …)').waitFor();
      const records = recordsOf(turn(1), Date.now(), { traceId: 'first-of-all', threadId: 'first of all' });
      await writeRecords(pages.reader, inProject(records, 'local/silent'));
      await page.getByRole('link', { name: 'first of all' }).waitFor();
      expect(await page.getByText('withThread(id, …)').count()).toBe(0);
    });

    test('is found by its words and by keys alone', async () => {
      const page = await pages.openAt('/threads');
      await page.getByRole('link', { name: QUIET }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('KETTLE');
      await page.getByRole('link', { name: QUIET }).waitFor({ state: 'detached' });
      await page.keyboard.press('Tab');
      await pressAt(page, page.getByRole('link', { name: THREAD }));
      await expect.poll(() => turnOf(page)).toBe(TURNS);
    });
  });
});

const factsOf = (page: Page) => page.getByRole('complementary', { name: 'Turn facts' });

/** The turn whose numbers are shown, when it is the one that is selected in the list, too. */
async function turnOf(page: Page): Promise<number | undefined> {
  const [head] = await factsOf(page).getByRole('heading', { level: 2 }).allInnerTexts();
  const list = page.getByRole('listbox', { name: 'Turns' });
  const [chosen] = await list.getByRole('option', { selected: true }).allInnerTexts();
  const number = Number.parseInt(chosen ?? '');
  return head === `Turn ${number}` ? number : undefined;
}

async function countOf(line: ReturnType<Page['getByRole']>): Promise<number> {
  return Number(await line.getByRole('cell').nth(2).innerText());
}

function turn(number: number): Plan {
  const usage = { model: 'gpt-5-mini', input: 100 + number, output: 20, cached: 10 };
  const [question, answer] = [`Question ${number}`, `Answer ${number}`];
  return {
    op: 'answer_turn',
    kind: 'agent',
    fromMs: 0,
    ms: 2000,
    inputs: { question },
    ...(FAILED.includes(number) ? { exception: 'RateLimitError: 429 Too Many Requests' } : { output: answer }),
    calls: [
      {
        op: 'get_shipment',
        kind: 'tool',
        fromMs: 10,
        ms: 40,
        inputs: { order: number },
        output: { place: 'parcel box 17' },
      },
      {
        op: 'chat',
        kind: 'llm',
        fromMs: 100,
        ms: 1800,
        inputs: { messages: [{ role: 'user', content: question }] },
        output: answer,
        usage,
      },
    ],
  };
}

/** One that is said now. */
async function writeTurn(reader: Reader, threadId: string, plan: Plan): Promise<void> {
  const traceId = plan.id ?? randomUUID();
  await writeRecords(reader, recordsOf(plan, Date.now(), { traceId, threadId }));
}

function inProject(records: readonly object[], project: string): readonly object[] {
  return (records as readonly { mode: string; req: Record<string, object> }[]).map(({ mode, req }) => ({
    mode,
    req: { [mode]: { ...req[mode], project_id: project } },
  }));
}

async function seed(reader: Reader): Promise<void> {
  const began = Date.now() - TURNS * 3 * MINUTE_MS;
  const turns = Array.from({ length: TURNS }, (_, index) =>
    recordsOf(turn(index + 1), began + index * MINUTE_MS, { traceId: `turn-${index + 1}`, threadId: THREAD }),
  );
  const quiet = [1, 2, 3].map((number) =>
    recordsOf(turn(number), began + number * MINUTE_MS, { traceId: `quiet-${number}`, threadId: QUIET }),
  );
  await writeRecords(reader, [...turns.flat(), ...quiet.flat()]);
}
