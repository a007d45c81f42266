import { parseArgs } from 'node:util';
import { Chaos, type RoundResult } from './chaos/rounds.ts';
import { makeHome } from './service-process.ts';

/** Kills a service under load, round after round, and checks what is there: `npm run chaos -- --rounds 100`. */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string' }, keep: { type: 'boolean' } },
});
const rounds = Number(values.rounds);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  throw new TypeError('Usage: npm run chaos -- [--rounds <count>] [--seed <number>] [--keep]');
}

await main();

async function main(): Promise<void> {
  const { home, remove } = makeHome();
  process.stdout.write(`seed ${seed} · ${rounds} rounds · ${home}\n`);
  const chaos = new Chaos(home, seed);
  const totals = { acknowledged: new Map<string, number>(), done: 0, notDone: 0, problems: 0 };
  for (let round = 1; round <= rounds; round++) {
    const result = await chaos.runRound();
    printRound(round, result);
    for (const [kind, count] of result.acknowledged) {
      totals.acknowledged.set(kind, (totals.acknowledged.get(kind) ?? 0) + count);
    }
    totals.done += result.done;
    totals.notDone += result.notDone;
    totals.problems += result.problems.length;
  }
  const { things, problems } = await chaos.verifyAll();
  for (const problem of problems) process.stdout.write(`  ✗ ${problem}\n`);
  totals.problems += problems.length;
  const kinds = [...totals.acknowledged].map(([kind, count]) => `${kind} ${count}`).join(', ');
  process.stdout.write(`acknowledged: ${sum(totals.acknowledged)} (${kinds})\n`);
  process.stdout.write(`on their way when killed: ${totals.done} done whole, ${totals.notDone} not done\n`);
  process.stdout.write(`seed ${seed} · ${rounds} rounds · ${things} things there · ${totals.problems} problems\n`);
  if (totals.problems > 0) process.exitCode = 1;
  if (totals.problems === 0 && values.keep !== true) remove();
  else process.stdout.write(`the data is in ${home}\n`);
}

function printRound(
  round: number,
  { killedAfterMs, acknowledged, done, notDone, things, problems }: RoundResult,
): void {
  const way = `${done} done and ${notDone} not done on their way`;
  process.stdout.write(
    `round ${round}: killed after ${killedAfterMs} ms, ${sum(acknowledged)} acknowledged, ${way}, ${things} things there\n`,
  );
  for (const problem of problems) process.stdout.write(`  ✗ ${problem}\n`);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
