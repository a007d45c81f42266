import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { Chaos } from './chaos/rounds.ts';
import { WRITERS } from './chaos/writers.ts';
import { makeHome } from './service-process.ts';

beforeAll(buildOnce, 120_000);

test('whatever was acknowledged survives kill -9 under load of all kinds of writes', { timeout: 90_000 }, async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const seed = Date.now() % 2 ** 31;
  const chaos = new Chaos(home, seed, 800);
  for (let round = 0; round < 2; round++) {
    const { problems, acknowledged } = await chaos.runRound();
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect([...acknowledged.keys()].toSorted()).toEqual(Object.keys(WRITERS).toSorted());
  }
});
