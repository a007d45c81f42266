import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { ClientChaos } from './chaos-client/rounds.ts';
import { makeHome } from './service-process.ts';

// The large version is a script: `npm run chaos:client -- --rounds 200`.

beforeAll(buildOnce, 120_000);

const ENDS = [
  ['exit', 'exit'],
  ['SIGTERM', 'exit'],
  ['SIGTERM, SIGKILL', 'exit'],
  ['SIGINT, SIGKILL', 'exit'],
  ['SIGKILL', 'crash'],
  ['abort', 'crash'],
  ['end', 'crash'],
] as const;

test(
  'no call of a program is lost or doubled, whatever the service does and however the program ends',
  {
    timeout: 120_000,
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
      const { lost, doubled, problems, recorded } = await chaos.runRound({ way, durability });
      expect({ seed, way, lost, doubled, problems }).toEqual({ seed, way, lost: [], doubled: [], problems: [] });
      total += recorded;
    }
    expect(total).toBeGreaterThan(0);
  },
);
