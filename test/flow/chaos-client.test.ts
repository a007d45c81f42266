import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { ClientChaos, type Durability, type RoundResult, type Way } from './chaos-client/rounds.ts';
import { makeHome } from './service-process.ts';

// The large version is a script: `npm run chaos:client -- --rounds 200`.

beforeAll(buildOnce, 120_000);

const MAX_TRIES = 5;

const ENDS = [
  ['exit', 'exit'],
  ['SIGTERM', 'exit'],
  ['SIGTERM, SIGKILL', 'exit'],
  ['SIGINT, SIGKILL', 'exit'],
  ['SIGKILL', 'crash'],
  ['abort', 'crash'],
  ['end', 'crash'],
] as const;

/**
 * On a busy machine the second signal may come before the program has seen the first: then nothing could be written. The last
 * try waits until it has.
 */
async function roundWithMoment(chaos: ClientChaos, given: { way: Way; durability: Durability }): Promise<RoundResult> {
  let result = await chaos.runRound(given);
  for (let tries = 2; result.mayLose && tries <= MAX_TRIES; tries++) {
    result = await chaos.runRound({ ...given, isWarned: tries === MAX_TRIES });
  }
  return result;
}

test(
  'no call of a program is lost or doubled, whatever the service does and however the program ends',
  {
    timeout: 300_000,
  },
  async () => {
    const [service, programs] = [makeHome(), makeHome()];
    // The last one first: the service is stopped before its folder goes.
    onTestFinished(() => [service, programs].forEach(({ remove }) => remove()));
    const seed = Date.now() % 2 ** 31;
    const chaos = new ClientChaos({ home: service.home, programHome: programs.home, seed });
    onTestFinished(() => chaos.close());
    let total = 0;
    for (const [way, durability] of ENDS) {
      const { lost, doubled, problems, recorded, mayLose } = await roundWithMoment(chaos, { way, durability });
      const found = { seed, way, mayLose, lost, doubled, problems };
      expect(found).toEqual({ seed, way, mayLose: false, lost: [], doubled: [], problems: [] });
      total += recorded;
    }
    expect(total).toBeGreaterThan(0);
  },
);
