import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { Chaos } from './chaos/rounds.ts';
import { WRITERS } from './chaos/writers.ts';
import { makeHome } from './service-process.ts';

beforeAll(buildOnce, 120_000);

test('whatever was acknowledged survives kill -9 under load of all kinds of writes', { timeout: 300_000 }, async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const seed = Date.now() % 2 ** 31;
  const chaos = new Chaos(home, seed, 800);
  const survived = new Set<string>();
  const kinds = Object.keys(WRITERS);
  // A service that is killed at once has acknowledged little.
  for (let round = 0; round < 2 || (round < 10 && survived.size < kinds.length); round++) {
    const { problems, acknowledged } = await chaos.runRound();
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    for (const [kind, count] of acknowledged) if (count > 0) survived.add(kind);
  }
  expect([...survived].toSorted()).toEqual(kinds.toSorted());
});
