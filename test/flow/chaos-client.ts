import { parseArgs } from 'node:util';
import { ClientChaos, type RoundResult } from './chaos-client/rounds.ts';
import { makeHome } from './service-process.ts';

/**
 * Ends recording programs in all ways, beside a service that fails, and looks for every call that they had made:
 * `npm run chaos:client -- --rounds 200`.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' }, keep: { type: 'boolean' } },
});
const rounds = Number(values.rounds);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  throw new TypeError('Usage: npm run chaos:client -- [--rounds <count>] [--seed <number>] [--keep]');
}

await main();

async function main(): Promise<void> {
  const [service, programs] = [makeHome(), makeHome()];
  process.stdout.write(`seed ${seed} · ${rounds} rounds · ${programs.home}\n`);
  const chaos = new ClientChaos({ home: service.home, programHome: programs.home, seed });
  const results: RoundResult[] = [];
  for (let round = 1; round <= rounds; round++) {
    const result = await chaos.runRound();
    results.push(result);
    printRound(round, result);
  }
  await chaos.close();
  const [sudden, others] = [results.filter(({ mayLose }) => mayLose), results.filter(({ mayLose }) => !mayLose)];
  const problems = sum(results, ({ problems: found }) => found.length);
  const isGood = problems === 0 && lostIn(others) === 0 && sum(results, ({ doubled }) => doubled.length) === 0;
  process.stdout.write(`without a moment to write anything: ${lostIn(sudden)} of ${recordedIn(sudden)} calls lost\n`);
  process.stdout.write(
    `seed ${seed} · ${rounds} rounds · ${recordedIn(others)} calls otherwise · ${lostIn(others)} lost · ` +
      `${sum(results, ({ doubled }) => doubled.length)} doubled · ${problems} problems\n`,
  );
  if (!isGood) process.exitCode = 1;
  if (isGood && values.keep !== true) [service, programs].forEach(({ remove }) => remove());
  else process.stdout.write(`the data is in ${service.home} and ${programs.home}\n`);
}

function printRound(round: number, result: RoundResult): void {
  const { way, durability, runMs, recorded, lost, doubled, problems, mayLose } = result;
  const moment = mayLose ? ', without a moment to write anything' : '';
  process.stdout.write(
    `round ${round}: ${way} after ${runMs} ms, durability ${durability}${moment}, ${recorded} calls, ${lost.length} lost\n`,
  );
  for (const problem of problems) process.stdout.write(`  ✗ ${problem}\n`);
  if (doubled.length > 0) process.stdout.write(`  ✗ doubled: ${doubled.join(' ')}\n`);
}

function lostIn(results: readonly RoundResult[]): number {
  return sum(results, ({ lost }) => lost.length);
}

function recordedIn(results: readonly RoundResult[]): number {
  return sum(results, ({ recorded }) => recorded);
}

function sum(results: readonly RoundResult[], countOf: (result: RoundResult) => number): number {
  return results.reduce((total, result) => total + countOf(result), 0);
}
