import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROJECT, startProgram } from '../flow/program.ts';
import { environmentOf, ROOT } from '../flow/service-process.ts';
import { hasBrowser } from './browser.ts';
import { servedPages } from './served-pages.ts';

const CLI = join(ROOT, 'dist', 'cli', 'main.js');
/** Runs a command at a terminal, on Linux. */
const SCRIPT = '/usr/bin/script';

/** Fails somewhere inside, and says on the way where that can be seen. */
const PROGRAM = `
const look = traced(async function look_up(order) {
  console.log(JSON.stringify({ url: spoor.current().url, id: spoor.current().id, traceId: spoor.current().traceId }));
  throw new Error('No such order');
});
await traced(async function answer(order) { await look(order); })(48211).catch(() => undefined);
await flush();
`;

describe.skipIf(!hasBrowser)('a link to a call', () => {
  const pages = servedPages({ project: PROJECT, seed: async () => undefined });

  test('that a program gives opens the page at the call, once one is logged in', async () => {
    const { url, id, traceId } = await runOnce();
    expect(url).toBe(`${pages.service.url}/ui/${PROJECT}/trace/${traceId}?call=${id}`);
    const page = await pages.windows.open({ origin: pages.service.url });
    await page.goto(url);
    await page.getByLabel('Key').fill(pages.service.apiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('treegrid').getByRole('row', { selected: true }).filter({ hasText: 'look_up' }).waitFor();
    await page.getByRole('complementary').getByText('No such order').first().waitFor();
    expect(page.url()).toBe(url);
  });

  test.skipIf(!existsSync(SCRIPT))('is printed by spoor show at a terminal, for a trace and for a call', async () => {
    const { id, traceId } = await runOnce();
    expect(await shownAtTerminal(traceId)).toBe(`${pages.service.url}/ui/${PROJECT}/trace/${traceId}`);
    const link = await shownAtTerminal(id);
    expect(link).toBe(`${pages.service.url}/ui/${PROJECT}/trace/${traceId}?call=${id}`);
    const page = await pages.open();
    await page.goto(link);
    await page.getByRole('treegrid').getByRole('row', { selected: true }).filter({ hasText: 'look_up' }).waitFor();
  });

  async function runOnce(): Promise<{ readonly url: string; readonly id: string; readonly traceId: string }> {
    const program = startProgram(pages.home, PROGRAM);
    const line = await program.line();
    expect((await program.ended).code).toBe(0);
    return JSON.parse(line) as { url: string; id: string; traceId: string };
  }

  /** The last line that the command prints there. */
  async function shownAtTerminal(id: string): Promise<string> {
    const command = [process.execPath, CLI, 'show', id, '--project', PROJECT].join(' ');
    const env = environmentOf(pages.home);
    const { stdout } = await promisify(execFile)(SCRIPT, ['-qec', command, '/dev/null'], { env });
    return stdout.trim().split(/\r?\n/).at(-1) ?? '';
  }
});
