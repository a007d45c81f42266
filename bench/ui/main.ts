import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openBrowser } from '../../test/page/browser.ts';
import { makeHome, startServiceProcess } from '../../test/flow/service-process.ts';
import { machineOf } from '../machine.ts';
import { writePage } from '../page.ts';
import { rounded, spreadOf } from '../results.ts';
import type { Sample } from '../rounds.ts';
import { textOf } from '../tables.ts';
import { BUDGETS } from './budgets.ts';
import { type PageRun, storeRun } from './history.ts';
import { measureFirst, measureList, measureLive, measureTrace, type Shown } from './pages.ts';
import { measureReads } from './reads.ts';
import { seedList, seedTrace } from './seed.ts';
import { brokenBudgets, budgetTable } from './table.ts';
import { logIn } from './window.ts';

/*
 * `npm run bench:ui` measures the built page in a browser, and what the service reads for it, on a million calls; it stores
 * the run, writes `docs/performance.md`, and ends with 1 where a budget is exceeded by more than a tenth. `-- --calls 20000 --rounds 1` is a short run,
 * which stores nothing. `-- --only first,list,trace,live,reads` leaves the rest out, and stores nothing either.
 */
const CALLS = 1_000_000;
const ROUNDS = 5;
const SMALL_TRACE = 10_000;
const LARGE_TRACE = 100_000;
const REPEATS = 20;

const { values } = parseArgs({
  options: { calls: { type: 'string' }, rounds: { type: 'string' }, only: { type: 'string' } },
});
const calls = Number(values.calls ?? CALLS);
const rounds = Number(values.rounds ?? ROUNDS);
const isWanted = (part: string) => values.only?.split(',').includes(part) ?? true;

const startedAt = performance.now();
const [load = 0] = loadavg();
const { home, remove } = makeHome();
const service = await startServiceProcess(home);
const browser = await openBrowser();
const samples: Record<string, number[]> = {};

try {
  keep({ takenInPerSec: await seedList(service, calls) });
  say(`${calls} calls are stored`);
  const traces = [await seedTrace(service, SMALL_TRACE), await seedTrace(service, LARGE_TRACE)] as const;
  const shown: Shown = { browser, target: service, session: await logIn(browser, service) };
  for (let round = 0; round < rounds; round++) await measureRound(shown, traces, round);
} finally {
  await browser.close();
  await service.stop();
  remove();
}

const run: PageRun = {
  date: new Date().toISOString().slice(0, 10),
  seconds: Math.round((performance.now() - startedAt) / 1000),
  machine: { ...machineOf(load), browser: `Chromium ${browser.version()}` },
  calls,
  figures: Object.fromEntries(Object.entries(samples).map(([figure, each]) => [figure, spreadOf(each)])),
};
console.log(textOf(budgetTable(run)));
if (values.calls === undefined && values.rounds === undefined && values.only === undefined) {
  storeRun(run);
  writePage();
}
for (const { title, unit } of brokenBudgets(run)) {
  console.log(`Over its budget by more than a tenth: ${title}, ${unit}`);
  process.exitCode = 1;
}

async function measureRound(shown: Shown, traces: readonly [string, string], round: number): Promise<void> {
  if (isWanted('first')) keep(await measureFirst(shown));
  if (isWanted('list')) keep(await measureList(shown));
  if (isWanted('trace')) {
    const { trace10kMs = Number.NaN } = await measureTrace(shown, traces[0], 'trace10k');
    keep({ trace10kMs });
    keep(await measureTrace(shown, traces[1], 'trace100k'));
  }
  if (isWanted('live')) keep(await measureLive(shown, round));
  if (isWanted('reads')) keep(await measureReads(service, { traces, repeats: REPEATS }));
  say(`round ${round + 1} of ${rounds} is over`);
}

function keep(sample: Sample): void {
  for (const [figure, value] of Object.entries(sample)) {
    if (BUDGETS.every((budget) => budget.figure !== figure)) throw new Error(`"${figure}" has no row`);
    (samples[figure] ??= []).push(rounded(value));
  }
}

function say(what: string): void {
  console.log(`${Math.round((performance.now() - startedAt) / 1000)} s: ${what}`);
}
