import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { environmentOf, makeHome, ROOT } from '../flow/service-process.ts';
import { hasBrowser } from './browser.ts';
import { windowsPerTest } from './windows.ts';

/** Vite packs what the page imports when it is first asked for it. */
const TEST_MS = 180_000;
/** What `npm run page` starts when the service is built. */
const STARTED = 'tsx --conditions=spoor-source test/page/main.ts';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

describe.skipIf(!hasBrowser)('npm run page', () => {
  const made = makeHome();
  const temporary = join(made.home, 'temporary');
  const running = new Set<ChildProcess>();

  beforeAll(() => {
    mkdirSync(temporary);
  });
  afterEach(() => {
    for (const child of running) child.kill();
    running.clear();
  });
  afterAll(() => made.remove());
  const windows = windowsPerTest();

  /** Ends all that run, as Ctrl-C does: with which codes, and what is left of their folders. */
  async function end(): Promise<{ readonly codes: readonly unknown[]; readonly left: readonly string[] }> {
    const exits = [...running].map(async (child) => {
      const exited = once(child, 'exit');
      child.kill('SIGINT');
      return (await exited)[0] as unknown;
    });
    const codes = await Promise.all(exits);
    running.clear();
    return { codes, left: readdirSync(temporary).filter((name) => name.startsWith('spoor-page-')) };
  }

  /** Starts it, and resolves with so many of the addresses that it prints. */
  async function start(count: number, ...args: readonly string[]): Promise<readonly string[]> {
    const [, ...options] = STARTED.split(' ');
    const env = { ...environmentOf(made.home), TMPDIR: temporary, NODE_ENV: undefined, VITEST: undefined };
    const child = spawn(process.execPath, ['--import', 'tsx', ...options, ...args], { cwd: ROOT, env });
    running.add(child);
    const exited = once(child, 'exit').finally(() => running.delete(child));
    let said = '';
    child.stderr.on('data', (part: Buffer) => {
      said += part.toString();
    });
    const addresses: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      addresses.push(line);
      if (addresses.length === count) return addresses;
    }
    await exited;
    throw new Error(`It ended with ${addresses.length} addresses: ${said}`);
  }

  test('is what its script starts, once the service is built', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(scripts['page']).toBe(`npm run --silent build && ${STARTED}`);
  });

  test('shows what was written, from the sources, at the links that it prints', async () => {
    const [first = '', second = ''] = await start(2, '--seed', 'skew,scripts');
    const page = await windows.open({ origin: new URL(first).origin });
    await page.goto(first);
    const rows = page.getByRole('treegrid').getByRole('row');
    await rows.filter({ hasText: 'clock_behind' }).waitFor();
    // Only Vite's own server brings its client.
    expect(await page.locator(VITE).count()).toBe(1);
    await page.goto(second);
    await rows.filter({ hasText: 'japanese' }).waitFor();
    await page.close();
    expect(await end()).toEqual({ codes: [0], left: [] });
  });

  test('shows the built page beside a day of calls with --service', async () => {
    const [address = ''] = await start(1, '--service', '--traces', '40');
    const page = await windows.open({ origin: new URL(address).origin });
    await page.goto(address);
    await page.getByRole('grid').getByRole('row').filter({ hasText: 'answer_ticket' }).first().waitFor();
    expect(await page.locator(VITE).count()).toBe(0);
    await page.close();
    expect(await end()).toEqual({ codes: [0], left: [] });
  });
});

const VITE = 'script[src*="@vite/client"]';
