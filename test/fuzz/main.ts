import { parseArgs } from 'node:util';
import { closeConnections } from './client.ts';
import { problemOfRound, roundOf } from './round.ts';
import { runFuzz, Tally } from './run-fuzz.ts';
import { openWorld } from './world.ts';

/** `npm run fuzz -- --minutes 10 [--seed 1]`: sends wrong requests for so long; stops at the first that is not refused well. */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const RUNS_PER_ROUND = 500;

const tally = new Tally();
const world = await openWorld();
const end = Date.now() + Number(values.minutes) * 60_000;
try {
  for (let seed = Number(values.seed ?? Date.now() % 1_000_000_000); Date.now() < end; seed++) {
    const [before, sent] = [await world.usage(), tally.requests];
    await runFuzz(world, { seed, runs: RUNS_PER_ROUND, patienceMs: 5000, tally });
    const round = roundOf(before, await world.usage(), tally.requests - sent);
    const problem = problemOfRound(round);
    if (problem !== undefined) throw new Error(`Seed ${seed}: ${problem}`);
    console.log(`seed ${seed} · ${round.memoryMiB} MiB, ${round.cpuMs} ms of CPU · ${String(tally)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  closeConnections();
  const code = await world.close();
  if (code !== 0 || world.errors() !== '') {
    console.error(`The service ended with ${code}: ${world.errors().slice(-4000)}`);
    process.exitCode = 1;
  }
  console.log(String(tally));
}
