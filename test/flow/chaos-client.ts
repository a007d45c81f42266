import { parseArgs } from 'node:util';
import { ClientChaos, type RoundResult } from './chaos-client/rounds.ts';
import { lineOf, summaryOf } from './chaos-client/summary.ts';
import { makeHome } from './service-process.ts';

/**
 * Ends recording programs in all ways, beside services that fail, and looks for every call that they had made:
 * `npm run chaos:client -- --rounds 200`, several at a time with `--parallel 4`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    parallel: { type: 'string', default: '1' },
    seed: { type: 'string' },
    keep: { type: 'boolean' },
  },
});
const rounds = Number(values.rounds);
const parallel = Number(values.parallel);
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
if (![rounds, parallel].every((count) => Number.isInteger(count) && count > 0) || !Number.isInteger(seed)) {
  throw new TypeError(
    'Usage: npm run chaos:client -- [--rounds <count>] [--parallel <count>] [--seed <number>] [--keep]',
  );
}

await main();

async function main(): Promise<void> {
  process.stdout.write(`seed ${seed} · ${rounds} rounds, ${parallel} at a time\n`);
  const results: RoundResult[] = [];
  let begun = 0;
  const isNext = () => begun++ < rounds;
  const note = (result: RoundResult) => process.stdout.write(`round ${results.push(result)}: ${lineOf(result)}\n`);
  // Each has chance of its own, so that the first one does the same alone.
  await Promise.all(Array.from({ length: parallel }, (_, index) => runRounds(seed + index, isNext, note)));
  const { text, isGood } = summaryOf(results);
  process.stdout.write(`${text}\nseed ${seed} · ${rounds} rounds · ${isGood ? 'good' : 'NOT GOOD'}\n`);
  if (!isGood) process.exitCode = 1;
}

/** Rounds one after the other, with a service and programs of their own. What was not good keeps its folders. */
async function runRounds(ownSeed: number, isNext: () => boolean, note: (result: RoundResult) => void): Promise<void> {
  const [service, programs] = [makeHome(), makeHome()];
  const chaos = new ClientChaos({ home: service.home, programHome: programs.home, seed: ownSeed });
  const results: RoundResult[] = [];
  while (isNext()) {
    const result = await chaos.runRound();
    results.push(result);
    note(result);
  }
  await chaos.close();
  if (summaryOf(results).isGood && values.keep !== true) [service, programs].forEach(({ remove }) => remove());
  else process.stdout.write(`the data of seed ${ownSeed} is in ${service.home} and ${programs.home}\n`);
}
